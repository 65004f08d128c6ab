/** Text that is not saved yet, kept on this machine: it survives a reload, a lost network and an ended session. */

/**
 * @typedef {object} Draft
 * @property {string} title
 * @property {string} locator
 * @property {string} content
 * @property {string | null} revision the one it was made on; null for a new item
 * @property {string} at when it was last typed at, ISO 8601
 */

const STORE = "drafts";

/** @type {Promise<IDBDatabase> | undefined} */
let opened;

function database() {
  opened ??= new Promise((resolve, reject) => {
    const asked = indexedDB.open("acervo", 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(STORE);
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
  return opened;
}

/**
 * @template T
 * @param {IDBTransactionMode} mode @param {(store: IDBObjectStore) => IDBRequest<T>} work
 * @returns {Promise<T>}
 */
async function within(mode, work) {
  const store = (await database()).transaction(STORE, mode).objectStore(STORE);
  const asked = work(store);
  return new Promise((resolve, reject) => {
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
}

/** This tab, also after a reload. Two tabs may write at the same item: each keeps its own, and a lock says that it is open. */
const tab = sessionStorage.getItem("acervo-tab") ?? crypto.randomUUID();
sessionStorage.setItem("acervo-tab", tab);
navigator.locks.request(tab, () => new Promise(() => {}));

/** Drafts of one person: on a shared machine nobody finds another's. @param {string} user */
export const drafts = (user) => ({
  /**
   * This tab's; or the newest that a tab left which is open no more, and which becomes this one's.
   * @param {string} of an item, or a base for a new one @returns {Promise<Draft | undefined>}
   */
  async get(of) {
    const range = IDBKeyRange.bound([user, of], [user, of, []]);
    const keys = /** @type {string[][]} */ (await within("readonly", (store) => store.getAllKeys(range)));
    const open = ((await navigator.locks.query()).held ?? []).map((each) => each.name);
    const mine = keys.filter((each) => each[2] === tab);
    const found = await Promise.all(
      (mine.length ? mine : keys.filter((each) => !open.includes(each[2]))).map(async (key) => ({
        key,
        draft: /** @type {Draft} */ (await within("readonly", (store) => store.get(key))),
      })),
    );
    const newest = found.sort((one, other) => other.draft.at.localeCompare(one.draft.at))[0];
    if (newest && !mine.length) {
      await this.put(of, newest.draft);
      await within("readwrite", (store) => store.delete(newest.key));
    }
    return newest?.draft;
  },
  /** @param {string} of @param {Draft} draft */
  put: (of, draft) => within("readwrite", (store) => store.put(draft, [user, of, tab])),
  /** @param {string} of */
  drop: (of) => within("readwrite", (store) => store.delete([user, of, tab])),
});
