"""Every test run starts with an empty kernel cache unless the caller names one."""

import os
import sys
import tempfile
from pathlib import Path

os.environ.setdefault("WORKBENCH_CACHE_DIR", tempfile.mkdtemp(prefix="workbench-tests-"))
sys.path.insert(0, str(Path(__file__).parent))
