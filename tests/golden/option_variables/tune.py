import os

print(os.environ["RATE"], os.environ["MODE"], os.environ["STAGE"])
