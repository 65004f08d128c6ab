"""The tables `records`, `revisions` and `ephemeral`. Only here has an attribute a name.

| table | pk | sk | what |
|---|---|---|---|
| records | `user_…` | `account`, `member#space_…`, `token#tok_…` | a person, and what is theirs |
| records | `space_…` | `space`, `member#user_…`, `base#kb_…` | a space, who is in it, which bases it has |
| records | `kb_…` | `base`, `item#item_…`, `locator#<sha-256>` | a base, its items, who has which locator |
| records | `kb_…` | `changes` | how often what is public in it changed |
| records | `item_…` | `item`, `search` | an item, and how far the index is with it |
| records | `user_…` | `remembered#mem_…` | what somebody remembered |
| records | `space_…` | `memory#mem_…`, `todo#todo_…`, `project#proj_…` | a space's memory, to-dos, projects |
| records | `space_…` | `event#<time>#evt_…`, `state#<sha-256>`, `projectpath#<sha-256>` | events, states, taken paths |
| records | `mem_…`, `todo_…`, `proj_…` | `memory`, `todo`, `project` | a record, a to-do, a project with its links |
| records | `user_…`, `exp_…` | `taken#exp_…`, `export` | an export of an account |
| records | `closures`, `closure_…` | `closure_…`, `closure` | the deletion of an account, and its receipt |
| records | `user_…`, `subject_<sha-256>` | `subject#<sha-256>`, `subject` | who somebody of an issuer is |
| records | `tok_…` | `token` | a token without its secret |
| records | `kb_…`, `item_…` | `document#doc_…` | a document of the base; one that the item is made of |
| records | `doc_…` | `document` | an uploaded or dropped file, and how far it is |
| records | `documents` | `doc_…` | those that are neither ready nor failed |
| records | `purge_…` | `purge` | a deletion for good, and its receipt |
| records | `intents` | object key | an object that is about to be written, until its revision is |
| records | `purges` | `purge_…` | those that are not settled |
| records | `page_…`, `space_…` | `page`, `page#page_…` | a public page with all that is in it; its place in its space |
| records | `removed_pages` | `page_…` | pages whose pictures are to go |
| revisions | `item_…` | `rev_…` | a revision, written once |
| ephemeral | `device#<sha-256>`, `usercode#<code>` | | a device that waits to be let in (10 min) |
| ephemeral | `session#<sha-256>` | | a browser that somebody signed in with (12 h unused) |
| ephemeral | `signin#<sha-256>` | | a link that signs somebody in, once (10 min to 24 h) |
| ephemeral | `attempt#<sha-256>` | | somebody who is at the identity provider (10 min) |
| ephemeral | `limit#<name>` | | how often something happened (10 min) |
| ephemeral | `bucket#<page>/<hash of the day>`, `bucket#session/<session>` | | when a token bucket is full again |
| ephemeral | `daykey#<purpose>#<day>`, `used#<sha-256>` | | a random key of a day; a proof that was used |
| ephemeral | `fuse`, `fuse#<day>`, `usage#<page>#<day>` | | the daily fuse; past days, and pages, for 400 days |
| ephemeral | `conversation#conv_…` | | what was said in a tab (24 h) |
| ephemeral | `once#<sha-256>` | | what a write answered (24 h) |

An entry that another one lists (`base#`, `item#`, `token#`, `document#`) holds no facts of its own, so that a list is
a query and one batched read, both strongly consistent.
"""
