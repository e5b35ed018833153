# SPDX-License-Identifier: GPL-3.0-or-later
"""A page in headless Chromium, driven by its DevTools protocol over pipes:
what a person does with mouse and keyboard, and all that the page complains of."""
import base64
import json
import os
import shutil
import subprocess
import tempfile
import time

PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser")
KEYS = {"Enter": 13, "Tab": 9, "Escape": 27, "ArrowDown": 40, "ArrowUp": 38,
        "ArrowLeft": 37, "ArrowRight": 39, "End": 35, "Home": 36, "Space": 32,
        "+": 187, "-": 189, "0": 48}


class Browser:
    def __init__(self, width=1280, height=900):
        self.profile = tempfile.mkdtemp()
        to_read, self.to = os.pipe()
        self.of, of_write = os.pipe()

        def pipes():  # Chromium reads 3 and writes 4
            os.dup2(to_read, 13)
            os.dup2(of_write, 14)
            os.dup2(13, 3)
            os.dup2(14, 4)

        self.process = subprocess.Popen(
            [PROGRAM, "--headless", "--no-sandbox", "--disable-gpu",
             "--disable-dev-shm-usage", "--hide-scrollbars", "--no-first-run",
             "--disable-background-networking", "--remote-debugging-pipe",
             f"--user-data-dir={self.profile}",
             f"--window-size={width},{height}"],
            preexec_fn=pipes, close_fds=False,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(of_write)
        self.buffer, self.number, self.session = b"", 0, None
        self.complaints, self.requests, self.loaded = [], [], False
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target,
                                 flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network", "Accessibility"):
            self.call(domain + ".enable")

    def receive(self):
        while b"\0" not in self.buffer:
            part = os.read(self.of, 1 << 20)
            if not part:
                raise RuntimeError("the browser has ended")
            self.buffer += part
        text, self.buffer = self.buffer.split(b"\0", 1)
        message = json.loads(text)
        method, of = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.complaints.append(of["exceptionDetails"])
        elif method == "Runtime.consoleAPICalled":
            self.complaints.append(of["args"])
        elif method == "Log.entryAdded":
            self.complaints.append(of["entry"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(of["request"]["url"])
        elif method == "Page.loadEventFired":
            self.loaded = True
        return message

    def call(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def cpu_s(self):
        """What all its processes have computed: not what others on the machine
        made them wait."""
        ticks, of = {}, {}
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/stat") as f:
                    stat = f.read().rsplit(")", 1)[1].split()
            except OSError:
                continue
            of[int(pid)] = int(stat[1])
            ticks[int(pid)] = int(stat[11]) + int(stat[12])

        def ours(pid):
            while pid and pid != self.process.pid:
                pid = of.get(pid)
            return pid is not None and pid != 0

        return (sum(t for pid, t in ticks.items() if ours(pid)) /
                os.sysconf("SC_CLK_TCK"))

    def open(self, path):
        """Seconds until the page has loaded and drawn itself once."""
        self.loaded = False
        start = time.monotonic()
        self.call("Page.navigate", url="file://" + os.path.abspath(path))
        while not self.loaded:
            self.receive()
        self.frame()
        return time.monotonic() - start

    def frame(self):
        """Waits until what was done is seen: events of a frame, and the next."""
        self.js("new Promise(f => requestAnimationFrame(() => "
                "requestAnimationFrame(() => setTimeout(f))))")

    def js(self, expression):
        result = self.call("Runtime.evaluate", expression=expression,
                           returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def key(self, name, modifiers=0):
        code = {"key": name, "code": name, "modifiers": modifiers,
                "windowsVirtualKeyCode": KEYS[name]}
        text = {"Enter": "\r", "Space": " "}.get(name)
        self.call("Input.dispatchKeyEvent", type="keyDown", **code,
                  **({"text": text} if text else {}))
        self.call("Input.dispatchKeyEvent", type="keyUp", **code)

    def type(self, text):
        self.call("Input.insertText", text=text)

    def click(self, selector):
        x, y = self.js(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)});"
            "e.scrollIntoView({block: 'nearest'});"
            "const r = e.getBoundingClientRect();"
            "return [r.x + r.width / 2, r.y + r.height / 2]; })()")
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y,
                      button="left", clickCount=1)

    def choose(self, selector, value):
        self.js(f"(() => {{ const e = document.querySelector({json.dumps(selector)});"
                f"e.value = {json.dumps(value)};"
                "e.dispatchEvent(new Event('change', {bubbles: true})); })()")

    def dark(self, on):
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if on else "light"}])
        self.frame()

    def shot(self, path, whole=False):
        png = self.call("Page.captureScreenshot", format="png",
                        captureBeyondViewport=whole)["data"]
        with open(path, "wb") as f:
            f.write(base64.b64decode(png))

    def close(self):
        try:
            self.session = None
            self.call("Browser.close")
        except (RuntimeError, OSError):
            pass
        self.process.wait(20)
        shutil.rmtree(self.profile, ignore_errors=True)
