# Prints, for each vector of the file named, what verify says at the time of
# signing and ten minutes away from it.
import base64
import json
import sys

from verify import verify

with open(sys.argv[1], encoding="utf-8") as vectors:
    for v in json.load(vectors):
        body = base64.b64decode(v["body_base64"])
        says = [verify(v["secret"], v["header"], body, v["timestamp"] + shift) for shift in (0, 600, -600)]
        print(f"{v['name']}: {' '.join(str(s).lower() for s in says)}")
