// The sandbox's HTTP interface. Every failure becomes an ApiError whose message is a sentence for the page.

export class ApiError extends Error {}

const UNREACHABLE = "The sandbox did not answer. Is it still running?";
const UNCLEAR = "The sandbox answered with something this page does not understand.";

async function request(path, options = {}) {
  const response = await fetch(path, options).catch(() => {
    throw new ApiError(UNREACHABLE);
  });
  const body = await response.json().catch(() => null);
  if (!response.ok) throw new ApiError(sentence(body?.error) ?? `${UNCLEAR} (HTTP ${response.status})`);
  if (body === null) throw new ApiError(UNCLEAR);
  return body;
}

const sentence = (error) => (typeof error === "string" && error ? error : null);

export const get = (path, query = {}) => {
  const filled = Object.entries(query).filter(([, value]) => value !== null && value !== undefined);
  return request(filled.length ? `${path}?${new URLSearchParams(filled)}` : path);
};

export const post = (path, body) =>
  request(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });

/** Posts fields and files as multipart/form-data. */
export function upload(path, fields, files) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) if (value) form.append(name, value);
  for (const file of files) form.append("file", file, file.name);
  return request(path, { method: "POST", body: form });
}
