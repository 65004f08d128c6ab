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

/** Drafts of one person: on a shared machine nobody finds another's. @param {string} user */
export const drafts = (user) => ({
  /** @param {string} of an item, or a base for a new one @returns {Promise<Draft | undefined>} */
  get: (of) => within("readonly", (store) => store.get([user, of])),
  /** @param {string} of @param {Draft} draft */
  put: (of, draft) => within("readwrite", (store) => store.put(draft, [user, of])),
  /** @param {string} of */
  drop: (of) => within("readwrite", (store) => store.delete([user, of])),
});
