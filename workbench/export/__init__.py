"""Production files of a strip set, and the manifest that proves them."""
