/**
 * Solves a challenge of ALTCHA, version 2: counts up until the key that is derived from nonce and counter begins with
 * the prefix. The browser's own cryptography does the work.
 */

/** @typedef {{algorithm: string, nonce: string, salt: string, cost: number, keyLength: number, keyPrefix: string}} Posed */

/** @param {string} hex */
const bytes = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/** @param {Uint8Array<ArrayBuffer>} raw */
const hexadecimal = (raw) => Array.from(raw, (byte) => byte.toString(16).padStart(2, "0")).join("");

/**
 * @param {Posed} parameters
 * @param {Uint8Array<ArrayBuffer>} salt
 * @param {Uint8Array<ArrayBuffer>} password
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
async function derived(parameters, salt, password) {
  const [scheme, digest] = parameters.algorithm.toUpperCase().split("/");
  if (scheme === "PBKDF2") {
    const key = await crypto.subtle.importKey("raw", password, "PBKDF2", false, ["deriveBits"]);
    const how = { name: "PBKDF2", hash: digest, salt, iterations: parameters.cost };
    return new Uint8Array(await crypto.subtle.deriveBits(how, key, parameters.keyLength * 8));
  }
  let data = new Uint8Array([...salt, ...password]);
  for (let round = 0; round < Math.max(1, parameters.cost); round++) {
    data = new Uint8Array(await crypto.subtle.digest(scheme, data));
  }
  return data.slice(0, parameters.keyLength);
}

/** @param {Posed} parameters */
async function solution(parameters) {
  const nonce = bytes(parameters.nonce);
  const salt = bytes(parameters.salt);
  for (let counter = 0; ; counter++) {
    const password = new Uint8Array(nonce.length + 4);
    password.set(nonce);
    new DataView(password.buffer).setUint32(nonce.length, counter);
    const key = hexadecimal(await derived(parameters, salt, password));
    if (key.startsWith(parameters.keyPrefix)) return { counter, derivedKey: key };
  }
}

addEventListener("message", async (event) => {
  const { parameters, signature } = event.data;
  const payload = { challenge: { parameters, signature }, solution: await solution(parameters) };
  postMessage(btoa(JSON.stringify(payload)));
});
