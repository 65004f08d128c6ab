/** Documents that are to be published once they are ready: remembered for this tab, also if it is loaded anew. */

import { Problem } from "./client.js";

/** Looked after at this moment. @type {Set<string>} */
const busy = new Set();

/** Wishes of one person: whoever signs in next in the same tab publishes nothing for them. @param {string} user */
export const wishes = (user) => {
  const place = `acervo-publish ${user}`;
  /** @returns {string[]} */
  const all = () => JSON.parse(sessionStorage.getItem(place) ?? "[]");
  /** @param {string[]} documents */
  const keep = (documents) => sessionStorage.setItem(place, JSON.stringify(documents));

  return {
    /** @param {string} id */
    has: (id) => all().includes(id),

    /** @param {string} id */
    add: (id) => keep([...all(), id]),

    /**
     * Do what was wished, if it was: once, however many look at the document. Without a network it stays a wish.
     * @param {string} id @param {() => Promise<void>} work
     */
    async fulfil(id, work) {
      if (!all().includes(id) || busy.has(id)) return;
      busy.add(id);
      let again = false;
      try {
        await work();
      } catch (fault) {
        again = fault instanceof Problem && fault.offline;
        throw fault;
      } finally {
        busy.delete(id);
        if (!again) keep(all().filter((each) => each !== id));
      }
    },
  };
};
