"""Drives a Chromium by its debugging protocol, for the tests of the HTML report."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
import time
import urllib.request
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import pytest

websocket = pytest.importorskip("websocket")

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "chrome")


class Browser:
    """One page; keeps what it says on its console and every request that it makes."""

    def __init__(self, folder: Path) -> None:
        program = next(filter(None, map(shutil.which, PROGRAMS)), None)
        if program is None:
            pytest.skip("there is no Chromium")
        self.folder = folder
        profile = folder / "profile"
        self.process = subprocess.Popen(
            [
                program,
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--remote-debugging-port=0",
                "--remote-allow-origins=*",
                f"--user-data-dir={profile}",
                "about:blank",
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.console: list[str] = []
        self.requests: list[str] = []
        self.number = 0
        port = self.wait_for(
            lambda: (profile / "DevToolsActivePort").read_text().split()[0]
        )
        pages = json.loads(
            urllib.request.urlopen(f"http://127.0.0.1:{port}/json", timeout=30).read()
        )
        address = next(p for p in pages if p["type"] == "page")["webSocketDebuggerUrl"]
        self.socket = websocket.create_connection(address, timeout=60)
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")

    @staticmethod
    def wait_for(attempt: Any) -> Any:
        for _ in range(300):
            try:
                return attempt()
            except (OSError, IndexError, StopIteration):
                time.sleep(0.1)
        pytest.skip("Chromium did not start")

    def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        self.number += 1
        self.socket.send(
            json.dumps({"id": self.number, "method": method, "params": parameters})
        )
        while True:
            message = json.loads(self.socket.recv())
            if message.get("id") == self.number:
                assert "error" not in message, message
                return message["result"]
            self.note(message)

    def note(self, message: dict[str, Any]) -> None:
        method, parameters = message.get("method", ""), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.console.append(json.dumps(parameters["exceptionDetails"]))
        elif method == "Runtime.consoleAPICalled":
            self.console.append(json.dumps(parameters["args"]))
        elif method == "Log.entryAdded":
            self.console.append(parameters["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])

    def show(self, page: Path, width: int = 1280, dark: bool = False) -> None:
        """Opens a page afresh."""
        self.send(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=900,
            deviceScaleFactor=1,
            mobile=False,
        )
        self.send(
            "Emulation.setEmulatedMedia",
            features=[
                {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
            ],
        )
        self.send("Page.navigate", url=page.as_uri())
        for _ in range(200):
            if self.run("document.readyState") == "complete":
                break
            time.sleep(0.05)

    def run(self, script: str) -> Any:
        result = self.send(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def press(self, key: str) -> None:
        for kind in ("keyDown", "keyUp"):
            text = {"text": key} if kind == "keyDown" else {}
            self.send("Input.dispatchKeyEvent", type=kind, key=key, **text)

    def shot(self, to: Path) -> None:
        image = self.send("Page.captureScreenshot", captureBeyondViewport=True)["data"]
        to.write_bytes(base64.b64decode(image))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.socket.close()
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
