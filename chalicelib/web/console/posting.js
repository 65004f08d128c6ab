/** Uploading straight to the bucket, by a form that the API signed. */

import { Problem } from "./client.js";

/**
 * Post a form with its file, telling how far it is. Raises Problem.
 * @param {import("./contract").Schemas["UploadAnswer"]} form @param {File} file @param {(share: number) => void} told from 0 to 1
 */
export function posted(form, file, told) {
  const data = new FormData();
  for (const [name, value] of Object.entries(form.fields)) data.append(name, value);
  data.append("file", file);
  return new Promise((/** @type {(value: void) => void} */ resolve, reject) => {
    const request = new XMLHttpRequest(); // the only one that tells how much has been sent
    request.open("POST", form.url);
    request.upload.onprogress = (event) => told(event.loaded / (event.total || 1));
    request.onload = () => (request.status < 300 ? resolve() : reject(new Problem(request.status, { code: "upload_refused" })));
    request.onerror = () => reject(new Problem(0, { code: "offline" }));
    request.send(data);
  });
}
