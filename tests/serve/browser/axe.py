"""Complaints of axe about a page."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

from playwright.sync_api import Frame, Page

from tests.serve.browser.person import NARROW

AXE = files("axe_playwright_python") / "axe.min.js"

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]

OPTIONS = {"runOnly": RULES, "resultTypes": ["violations"], "selectors": False}
"""Nothing is gathered about what passes, and no selector sought for what does not."""

FAINT = """() => {
  const parts = (colour) => {
    const [r, g, b, a = 1] = colour.match(/[\\d.]+/g).map(Number);
    return [r, g, b, a];
  };
  const light = ([r, g, b]) => [r, g, b].map((v) => v / 255)
    .map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, place) => sum + v * [0.2126, 0.7152, 0.0722][place], 0);
  const over = ([r, g, b, a], below) =>
    [r, g, b].map((v, place) => v * a + below[place] * (1 - a));
  const ground = (element) => {
    const layers = [];
    for (let e = element; e; e = e.parentElement) {
      const colour = parts(getComputedStyle(e).backgroundColor);
      if (colour[3] > 0) layers.push(colour);
      if (colour[3] === 1) break;
    }
    return layers.reduceRight((below, layer) => over(layer, below), [255, 255, 255]);
  };
  const opacity = (element) => {
    let all = 1;
    for (let e = element; e; e = e.parentElement) all *= Number(getComputedStyle(e).opacity);
    return all;
  };
  const found = [];
  const look = (e, text, style, own) => {
    if (!text || !e.checkVisibility() || e.closest("svg, .heard")) return;
    if (e.closest("[aria-disabled=true], :disabled, label:has(:disabled)")) return;
    const [r, g, b, a] = parts(style.color);
    const below = ground(e);
    const ink = over([r, g, b, a * own * opacity(e)], below);
    const [one, two] = [light(ink), light(below)].sort((a, b) => b - a);
    const ratio = (one + 0.05) / (two + 0.05);
    if (ratio < 4.5) found.push(`${ratio.toFixed(2)} ${text}`);
  };
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const e = walk.currentNode.parentElement;
    look(e, walk.currentNode.data.trim(), getComputedStyle(e), 1);
  }
  const typed = "input:not([type=checkbox], [type=radio], [type=range], [type=file]), textarea";
  for (const e of document.querySelectorAll(typed)) {
    const style = getComputedStyle(e, e.value ? null : "::placeholder");
    look(e, (e.value || e.placeholder).trim(), style, e.value ? 1 : Number(style.opacity));
  }
  return found;
}"""
"""Text with less than 4.5 to 1 to its ground (WCAG 1.4.3), typed text and hints in fields as well;
what is off is exempt."""

CUT = """() => {
  const found = [];
  const top = document.querySelector("dialog[open]") ?? document.body;
  const walk = document.createTreeWalker(top, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const text = walk.currentNode.data.trim(), e = walk.currentNode.parentElement;
    if (!text || !e.checkVisibility() || e.closest("svg, .heard, option, textarea")) continue;
    const styles = [];
    let right = innerWidth;
    for (let a = e; a && a !== document.documentElement; a = a.parentElement) {
      const style = getComputedStyle(a);
      styles.push(style);
      if (style.overflowX !== "visible") right = Math.min(right, a.getBoundingClientRect().right);
      if (a.tagName === "DIALOG") break;
    }
    // Names that are shortened, tables that are scrolled, and what only screen readers have.
    if (e.closest(".scroll") || styles.some((style) => style.textOverflow === "ellipsis"
      || style.clipPath !== "none")) continue;
    const range = document.createRange();
    range.selectNodeContents(walk.currentNode);
    if ([...range.getClientRects()].some((box) => box.right > right + 1)) found.push(text);
  }
  return found;
}"""
"""Finds texts that go on beyond their window, dialog or box, and cannot be read to the end."""


def violations(page: Page | Frame) -> list[str]:
    """Return what axe finds on a page."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text("utf-8"))
    report: dict[str, Any] = page.evaluate("options => axe.run(document, options)", OPTIONS)
    return [
        f"{each['id']}: {node['html'][:160]}"
        for each in report["violations"]
        for node in each["nodes"]
    ]


def complaints(name: str, page: Page) -> list[str]:
    """Return what is wrong with a page: faint text, axe's rules, and a narrow window's width."""
    bad: list[str] = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        bad += [f"{scheme}: {each}" for each in page.evaluate(FAINT)]
        bad += violations(page) if scheme == "light" else []
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    if not name.startswith("wizard"):
        size = page.viewport_size
        page.set_viewport_size(NARROW)
        if page.evaluate("document.documentElement.scrollWidth") > NARROW["width"]:
            bad.append("scrolls sideways")
        bad += [f"cut off: {each}" for each in page.evaluate(CUT)]
        assert size is not None
        page.set_viewport_size(size)
    return bad


WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def misfits(page: Page) -> list[str]:
    """Return what is wrong with a page at its width, by axe and `FAINT` in light and in dark."""
    bad = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        bad += [f"{scheme}: {each}" for each in (*violations(page), *page.evaluate(FAINT))]
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    return [*bad, *(["scrolls sideways"] if page.evaluate(WIDE) > 0 else [])]
