"""The console as a person drives it."""

import re
from dataclasses import dataclass

from playwright.sync_api import Locator, Page, expect

from tests.browser.console.watching import Watch


@dataclass
class Console:
    """One tab of one person."""

    page: Page
    url: str
    """Of the API, without a slash at its end."""
    watch: Watch

    def open(self, place: str = "#knowledge", space: str | None = None) -> Page:
        """Go to a place by its address, as from a bookmark."""
        where = "me" if space is None else f"?space={space}"
        self.page.goto("about:blank")
        self.page.goto(f"{self.url}/{where}{place}")
        return self.settled()

    def settled(self) -> Page:
        """Wait until the panel has what it asked for."""
        expect(self.page.locator("main h1[tabindex]")).not_to_be_empty()
        expect(self.page.locator(".waiting")).to_have_count(0)
        self.watch.quiet(self.page)
        return self.page

    def click(self, name: str | re.Pattern[str], inside: Locator | None = None, *, nth: int = 0) -> None:
        """Press the button, or follow the link, that has this name."""
        where = inside or (self.dialog if self.page.locator("dialog[open]").count() else self.page.locator("body"))
        exact = isinstance(name, str)
        found = where.get_by_role("button", name=name, exact=exact).or_(
            where.get_by_role("link", name=name, exact=exact)
        )
        found.nth(nth).click()

    def ask(self, name: str, inside: Locator | None = None) -> None:
        """Press what opens a dialog."""
        before = self.page.locator("dialog[open]").count()
        self.click(name, inside)
        expect(self.page.locator("dialog[open]")).to_have_count(before + 1)

    def confirm(self, name: str) -> None:
        """Press the button of the dialog that is open, and wait until the dialog has gone."""
        self.click(name, self.dialog)
        expect(self.page.locator("dialog[open]")).to_have_count(0)

    def fill(self, **fields: str) -> None:
        """Type into fields, by label; `_` stands for a blank."""
        for label, value in fields.items():
            self.field(label.replace("_", " ")).fill(value)

    def field(self, label: str) -> Locator:
        """The field of this label: in the dialog if one is open."""
        where = self.dialog if self.page.locator("dialog[open]").count() else self.page.locator("main")
        return where.get_by_label(label, exact=True)

    @property
    def dialog(self) -> Locator:
        """The topmost one."""
        return self.page.locator("dialog[open]").last

    @property
    def heading(self) -> Locator:
        """What the panel is called."""
        return self.page.locator("main h1[tabindex]")

    @property
    def place(self) -> str:
        """What stands after the hash."""
        return self.page.url.partition("#")[2]

    def row(self, text: str) -> Locator:
        """The row of a list that says this."""
        return self.page.locator("main .rows > li, main .pictures > li").filter(has_text=text)

    def new_base(self, name: str, holds: str = "") -> str:
        """Make a base by hand; its id."""
        self.open("#knowledge")
        self.ask("New base")
        self.fill(Name=name, What_it_holds=holds)
        self.click("Create")
        expect(self.heading).to_have_text(name)
        return self.place.split("/")[1]
