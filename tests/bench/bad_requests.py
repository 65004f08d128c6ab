"""The table of hostile and careless requests and what each gets: `python -m tests.bench.bad_requests`."""

from tests.hostile import REQUESTS, filled, table
from tests.unit.api.world import World


def main() -> None:
    """Send each to a world of its own and print the answers."""
    rows = []
    for bad in REQUESTS:
        world = World()
        ana = world.person("Ana")
        space = ana.account.personal_space_id
        base = world.base(ana, space)
        item = world.item(ana, base)
        ids = {"base": base, "item": item["id"], "revision": item["current_revision_id"], "space": space}
        path, raw = filled(bad, ids)
        token = None if "authorization" in bad.headers else ana.token
        answer = world.web(bad.method, path, raw=raw, token=token, headers=bad.headers)
        found = answer.json
        mistakes = "; ".join(f"{each['where']}: {each['problem']}" for each in found.get("errors", []))
        rows.append((bad.name, bad.method, bad.path, answer.status, found["code"], mistakes or found["detail"]))
    print(table(rows))


if __name__ == "__main__":
    main()
