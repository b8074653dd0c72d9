"""The objectives of a front by name, and in which direction each is better; asked for by ``--prefer``."""

NAMES = ("rtp_error", "hit_frequency", "standard_deviation", "feature_share")
# 1 where small is better, -1 where large is
USUAL = {"rtp_error": 1, "hit_frequency": -1, "standard_deviation": 1, "feature_share": -1}
PREFERENCES = {
    "high-hits": ("hit_frequency", -1),
    "low-hits": ("hit_frequency", 1),
    "low-volatility": ("standard_deviation", 1),
    "high-volatility": ("standard_deviation", -1),
    "high-feature-share": ("feature_share", -1),
    "low-feature-share": ("feature_share", 1),
}
