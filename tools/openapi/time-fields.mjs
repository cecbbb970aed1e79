// @ts-check
/**
 * Where the times are in requests and responses. The document marks a time by a `pattern` that a time matches.
 *
 * @typedef {{ type?: string | string[], pattern?: string, $ref?: string, properties?: Record<string, Schema>,
 *   items?: Schema, oneOf?: Schema[], anyOf?: Schema[], allOf?: Schema[] }} Schema
 * @typedef {{ schema?: Schema }} Media
 * @typedef {{ content?: Record<string, Media>, $ref?: string }} Body
 * @typedef {{ parameters?: { name: string, schema: Schema }[], requestBody?: Body,
 *   responses: Record<string, Body> }} Operation
 * @typedef {{ paths: Record<string, Record<string, Operation>>, components: Record<string, unknown> }} Document
 */

const EXAMPLE = '2026-03-01T12:00:00.000';

/**
 * @param {Document} document
 * @returns {string} the text of `time-fields.ts`
 * @throws {Error} when a name is a time in one place and another text in another: the client's types go by names
 */
export function timeFields(document) {
  const responses = new Names();
  const requests = new Names();
  /** @type {Record<string, string[]>} */
  const places = {};
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      for (const { name, schema } of operation.parameters ?? []) requests.note(name, schema);
      for (const schema of schemasOf(document, operation.requestBody ?? {})) findTimes(document, schema, requests);
      const found = Object.entries(operation.responses)
        .filter(([status]) => status.startsWith('2'))
        .flatMap(([, response]) => schemasOf(document, response))
        .flatMap((schema) => findTimes(document, schema, responses));
      if (found.length > 0) places[`${method.toUpperCase()} ${path}`] = [...new Set(found)].sort();
    }
  }
  if (Object.keys(places).length === 0)
    throw new Error('No response has a time: its pattern in the document is not known');
  return `/** The fields of responses that are times. */
export type TimeField = ${union(responses.times())};

/** The fields and parameters of requests that accept times. */
export type InputTimeField = ${union(requests.times())};

/** Where the times are in the responses of each route. \`*\` stands for each item of a list. */
export const TIME_PLACES: Readonly<Record<string, readonly string[]>> = ${JSON.stringify(sorted(places), null, 2)};
`;
}

/** The names of fields, each a time or not. */
class Names {
  /** @type {Map<string, boolean>} */
  #areTimes = new Map();

  /**
   * A number may have the name of a time: the types turn only texts into times.
   * @param {string} name
   * @param {Schema} schema
   */
  note(name, schema) {
    if (![schema.type].flat().includes('string')) return;
    const isATime = isTime(schema);
    if ((this.#areTimes.get(name) ?? isATime) !== isATime) throw new Error(`"${name}" is a time in some places only`);
    this.#areTimes.set(name, isATime);
  }

  times() {
    return [...this.#areTimes].flatMap(([name, isTime]) => (isTime ? [name] : [])).sort();
  }
}

/**
 * @param {Document} document
 * @param {Schema} schema
 * @param {Names} names
 * @param {string} place
 * @param {Schema[]} within the schemas around this one
 * @returns {string[]} the places of the times, such as `*.last_run.started_at`
 */
function findTimes(document, schema, names, place = '', within = []) {
  const { properties = {}, items, oneOf = [], anyOf = [], allOf = [] } = resolve(document, schema);
  if (within.includes(resolve(document, schema))) throw new Error(`The schema at ${place} contains itself`);
  const around = [...within, resolve(document, schema)];
  const at = (/** @type {string} */ name) => (place === '' ? name : `${place}.${name}`);
  const parts = [...oneOf, ...anyOf, ...allOf].flatMap((part) => findTimes(document, part, names, place, around));
  if (items !== undefined) parts.push(...findTimes(document, items, names, at('*'), around));
  for (const [name, property] of Object.entries(properties)) {
    names.note(name, property);
    parts.push(...(isTime(property) ? [at(name)] : findTimes(document, property, names, at(name), around)));
  }
  return parts;
}

/** @param {Schema} schema */
function isTime({ pattern }) {
  return pattern !== undefined && new RegExp(pattern).test(EXAMPLE) && !new RegExp(pattern).test('text');
}

/**
 * @param {Document} document
 * @param {Body} body
 */
function schemasOf(document, body) {
  const { content = {} } = resolve(document, body);
  const { schema } = content['application/json'] ?? {};
  return schema === undefined ? [] : [schema];
}

/**
 * @template {{ $ref?: string }} T
 * @param {Document} document
 * @param {T} value
 * @returns {T}
 */
function resolve(document, value) {
  if (value.$ref === undefined) return value;
  /** @type {unknown} */
  let found = document;
  for (const name of value.$ref.split('/').slice(1)) found = /** @type {Record<string, unknown>} */ (found)[name];
  return resolve(document, /** @type {T} */ (found));
}

/** @param {string[]} names */
function union(names) {
  return names.length === 0 ? 'never' : names.map((name) => `'${name}'`).join(' | ');
}

/** @param {Record<string, string[]>} places */
function sorted(places) {
  return Object.fromEntries(Object.entries(places).sort(([left], [right]) => (left < right ? -1 : 1)));
}
