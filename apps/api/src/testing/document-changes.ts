import type { Schema } from '../http/fields/field-notes.js';

type Direction = 'request' | 'response';
type Document = Schema & { paths: Record<string, Record<string, Schema>>; components: Record<string, Schema> };

const NULL: Schema = { type: 'null' };
/** Who may call a route, as `operation.ts` writes it. The words of operators are scopes. */
const CALLERS = /^Callers: (.*)\.$/m;
const EVERY_CALLER = ['any token', 'everyone'];

/** Which way a program meets a schema, and where it is. */
interface Place {
  direction: Direction;
  path: string;
  /** The pairs of schemas that are compared already, because schemas may contain themselves. */
  seen: Set<string>;
}

/**
 * Finds what breaks a program that was written for the former document (`docs/api-versions.md`).
 *
 * @returns a sentence for each break
 */
export function breakingChanges(former: unknown, now: unknown): string[] {
  const [before, after] = [former, now] as [Document, Document];
  return new DocumentChanges(before, after).all();
}

class DocumentChanges {
  private readonly found: string[] = [];
  /** The pairs of whole bodies, most of them references, that were compared without a fault. */
  private readonly same = new Set<string>();

  constructor(
    private readonly before: Document,
    private readonly after: Document,
  ) {}

  all(): string[] {
    this.compareCredentials();
    for (const [path, methods] of Object.entries(this.before.paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        const where = `${method.toUpperCase()} ${path}`;
        const other = this.after.paths[path]?.[method];
        if (other === undefined) this.found.push(`${where} is gone`);
        else this.compareOperations(operation, other, where);
      }
    }
    return [...new Set(this.found)];
  }

  private compareCredentials(): void {
    const [before, after] = [this.before, this.after].map(({ components }) => components.securitySchemes ?? {});
    for (const [name, scheme] of Object.entries(before as Record<string, Schema>)) {
      const other = (after as Record<string, Schema>)[name];
      const isSame = ['type', 'in', 'scheme', 'name'].every((part) => scheme[part] === other?.[part]);
      if (!isSame) this.found.push(`The credentials ${name} are others`);
    }
  }

  private compareOperations(before: Schema, after: Schema, where: string): void {
    if (before.operationId !== after.operationId) this.found.push(`${where} has another operationId`);
    this.compareAccess(before, after, where);
    this.compareErrors(before, after, where);
    this.compareParameters(listOf(before.parameters), listOf(after.parameters), where);
    this.compareBodies(before.requestBody as Schema | undefined, after.requestBody as Schema | undefined, where);
    const [responses, others] = [before.responses, after.responses] as Record<string, Schema>[];
    for (const [status, response] of Object.entries(responses ?? {})) {
      const other = others?.[status];
      if (other === undefined) this.found.push(`${where} has no ${status} any more`);
      else
        this.compareResponses(
          this.resolve(response, this.before),
          this.resolve(other, this.after),
          `${where} ${status}`,
        );
    }
    for (const status of Object.keys(others ?? {})) {
      if (responses?.[status] === undefined && Number(status) < 400)
        this.found.push(`${where} succeeds with ${status} now`);
    }
  }

  private compareAccess(before: Schema, after: Schema, where: string): void {
    const taken = waysIn(after, this.after);
    for (const way of waysIn(before, this.before)) {
      const isTaken = taken.some((each) => each.every((name) => way.includes(name)));
      if (!isTaken) this.found.push(`${where} is closed to ${way.join(' and ') || 'everyone without a token'}`);
    }
    const callers = callersOf(after);
    if (callers.some((caller) => EVERY_CALLER.includes(caller))) return;
    for (const caller of callersOf(before)) {
      const isCaller = callers.some((each) => each === caller || caller.startsWith(`${each} `));
      if (!isCaller) this.found.push(`${where} is closed to ${caller}`);
    }
  }

  private compareErrors(before: Schema, after: Schema, where: string): void {
    const statuses = this.errorsOf(after, this.after);
    for (const [code, status] of this.errorsOf(before, this.before)) {
      const now = statuses.get(code) ?? 'gone';
      if (now !== status) this.found.push(`${where} ${status} ${code} is ${now}${now === 'gone' ? '' : ' now'}`);
    }
  }

  /** The status of each code of an error. */
  private errorsOf(operation: Schema, document: Document): Map<string, string> {
    const responses = Object.entries((operation.responses ?? {}) as Record<string, Schema>);
    return new Map(
      responses.flatMap(([status, response]) => {
        const { content = {} } = this.resolve(response, document) as { content?: Record<string, Schema> };
        const codes = Object.keys(content['application/problem+json']?.examples ?? {});
        return codes.map((code) => [code, status] as const);
      }),
    );
  }

  private compareParameters(before: Schema[], after: Schema[], where: string): void {
    const keyOf = (each: Schema) => `${String(each.in)} ${String(each.name)}`;
    const byKey = new Map(after.map((each) => [keyOf(each), each]));
    for (const each of before) {
      const other = byKey.get(keyOf(each));
      const path = `${where} ${keyOf(each)}`;
      if (other === undefined) this.found.push(`${path} is gone`);
      else {
        if (other.required === true && each.required !== true) this.found.push(`${path} is required now`);
        this.compare(each.schema, other.schema, { direction: 'request', path, seen: new Set() });
      }
    }
    const known = new Set(before.map(keyOf));
    for (const each of after) {
      if (each.required === true && !known.has(keyOf(each)))
        this.found.push(`${where} ${keyOf(each)} is new and required`);
    }
  }

  private compareBodies(before: Schema | undefined, after: Schema | undefined, where: string): void {
    if (after?.required === true && before?.required !== true) this.found.push(`${where} needs a body now`);
    this.compareContent(before, after, { direction: 'request', path: `${where} body`, seen: new Set() });
  }

  private compareResponses(before: Schema, after: Schema, where: string): void {
    const headers = (after.headers ?? {}) as Schema;
    for (const name of Object.keys(before.headers ?? {})) {
      if (headers[name] === undefined) this.found.push(`${where} has no header ${name} any more`);
    }
    this.compareContent(before, after, { direction: 'response', path: where, seen: new Set() });
  }

  private compareContent(before: Schema | undefined, after: Schema | undefined, place: Place): void {
    const others = (after?.content ?? {}) as Record<string, Schema>;
    for (const [type, media] of Object.entries((before?.content ?? {}) as Record<string, Schema>)) {
      const other = others[type];
      const pair = JSON.stringify([place.direction, media.schema, other?.schema]);
      const known = this.found.length;
      if (other === undefined) this.found.push(`${place.path} has no ${type} any more`);
      else if (!this.same.has(pair)) this.compare(media.schema, other.schema, place);
      if (this.found.length === known) this.same.add(pair);
    }
  }

  private compare(former: unknown, now: unknown, place: Place): void {
    if (former === undefined) return;
    if (now === undefined) {
      if (place.direction === 'response') this.found.push(`${place.path} has any value now`);
      return;
    }
    const pair = `${JSON.stringify(former)} ${JSON.stringify(now)}`;
    if (place.seen.has(pair)) return;
    place.seen.add(pair);
    const before = this.resolve(former as Schema, this.before);
    const after = this.resolve(now as Schema, this.after);
    if (hasAlternatives(before) || hasAlternatives(after)) {
      this.compareAlternatives(alternativesOf(before), alternativesOf(after), place);
      return;
    }
    this.compareTypes(before, after, place);
    this.compareEnums(before.enum, after.enum, place);
    this.compareBounds(before, after, place);
    this.compareProperties(before, after, place);
    if (before.items !== undefined) this.compare(before.items, after.items, { ...place, path: `${place.path}[]` });
    if (typeof before.additionalProperties === 'object') {
      this.compare(before.additionalProperties, after.additionalProperties, { ...place, path: `${place.path}.*` });
    }
  }

  /** Each one that a program sends must still be taken by one; each one that it gets must be one that it knows. */
  private compareAlternatives(before: Schema[], after: Schema[], place: Place): void {
    const isRequest = place.direction === 'request';
    for (const each of isRequest ? before : after) {
      const tried = (isRequest ? after : before).map((other) =>
        isRequest ? this.faultsOf(each, other, place) : this.faultsOf(other, each, place),
      );
      if (tried.some((faults) => faults.length === 0)) continue;
      if (each.type === NULL.type)
        this.found.push(`${place.path} ${isRequest ? 'does not take null any more' : 'may be null now'}`);
      else this.found.push(...(tried.sort((left, right) => left.length - right.length)[0] ?? []));
    }
  }

  private faultsOf(former: Schema, now: Schema, place: Place): string[] {
    const trial = new DocumentChanges(this.before, this.after);
    trial.compare(former, now, { ...place, seen: new Set(place.seen) });
    return trial.found;
  }

  private compareTypes(before: Schema, after: Schema, { direction, path }: Place): void {
    const [left, right] = [typesOf(before), typesOf(after)];
    const [wide, narrow] = direction === 'request' ? [right, left] : [left, right];
    if (wide.length === 0 && direction === 'request') return;
    // What a program sends must still be taken; what it gets must be what it knows.
    const odd = narrow.length === 0 && wide.length > 0 ? ['any'] : narrow.filter((type) => !fits(type, wide));
    if (odd.length > 0)
      this.found.push(`${path} was ${left.join(' or ') || 'any'} and is ${right.join(' or ') || 'any'}`);
  }

  /** A value more in a response is allowed: programs must expect values that they do not know. */
  private compareEnums(before: unknown, after: unknown, { direction, path }: Place): void {
    const [left, right] = [listOrNull(before), listOrNull(after)];
    if (direction === 'request') {
      if (right === null) return;
      if (left === null) this.found.push(`${path} takes only some values now`);
      for (const value of left ?? [])
        if (!right.includes(value)) this.found.push(`${path} does not take ${String(value)} any more`);
    } else if (left !== null && right === null) this.found.push(`${path} has any value now`);
    else if (right?.includes(null) === true && left?.includes(null) === false)
      this.found.push(`${path} may be null now`);
  }

  private compareBounds(before: Schema, after: Schema, { direction, path }: Place): void {
    const isOther =
      (direction === 'request' ? after : before).pattern !== undefined && after.pattern !== before.pattern;
    if (isOther) this.found.push(`${path} has another pattern`);
    if (direction === 'response') return;
    for (const name of ['maximum', 'maxLength', 'maxItems']) {
      if (after[name] !== undefined && Number(after[name]) < Number(before[name] ?? Number.POSITIVE_INFINITY))
        this.found.push(`${path} has a lower ${name}`);
    }
    for (const name of ['minimum', 'minLength', 'minItems']) {
      if (Number(after[name] ?? Number.NEGATIVE_INFINITY) > Number(before[name] ?? Number.NEGATIVE_INFINITY))
        this.found.push(`${path} has a higher ${name}`);
    }
  }

  private compareProperties(before: Schema, after: Schema, place: Place): void {
    const [left, right] = [propertiesOf(before), propertiesOf(after)];
    const [required, requiredNow] = [requiredOf(before), requiredOf(after)];
    for (const [name, schema] of Object.entries(left)) {
      const path = `${place.path}.${name}`;
      if (right[name] === undefined) this.found.push(`${path} is gone`);
      else this.compare(schema, right[name], { ...place, path });
      const isLost = place.direction === 'response' && required.has(name) && !requiredNow.has(name);
      if (isLost && right[name] !== undefined) this.found.push(`${path} may be missing now`);
    }
    if (place.direction === 'response') return;
    for (const name of requiredNow) if (!required.has(name)) this.found.push(`${place.path}.${name} is required now`);
  }

  private resolve(schema: Schema, document: Document): Schema {
    const { $ref: reference } = schema;
    if (typeof reference !== 'string') return schema;
    const [kind = '', name = ''] = reference.split('/').slice(2);
    const found = (document.components[kind] as Record<string, Schema> | undefined)?.[name];
    if (found === undefined) throw new Error(`The document has no ${reference}`);
    return this.resolve(found, document);
  }
}

function hasAlternatives({ anyOf, oneOf }: Schema): boolean {
  return anyOf !== undefined || oneOf !== undefined;
}

function alternativesOf(schema: Schema): Schema[] {
  return hasAlternatives(schema) ? [...listOf(schema.anyOf), ...listOf(schema.oneOf)] : [schema];
}

/** The credentials with which a route may be called: the names of those that are needed together. */
function waysIn({ security }: Schema, document: Document): string[][] {
  const ways = listOf(security ?? document.security).map((needed) => Object.keys(needed));
  return ways.length === 0 ? [[]] : ways;
}

function callersOf({ description }: Schema): string[] {
  const [, callers = ''] = CALLERS.exec(String(description)) ?? [];
  return callers
    .replace('operators with the scope ', '')
    .split(', ')
    .filter((caller) => caller !== '');
}

function listOf(value: unknown): Schema[] {
  return Array.isArray(value) ? (value as Schema[]) : [];
}

function listOrNull(value: unknown): unknown[] | null {
  return Array.isArray(value) ? value : null;
}

function typesOf({ type }: Schema): string[] {
  return type === undefined ? [] : ([type].flat() as string[]);
}

/** An integer is a number. */
function fits(type: string, known: readonly string[]): boolean {
  return known.includes(type) || (type === 'integer' && known.includes('number'));
}

function propertiesOf({ properties }: Schema): Record<string, Schema> {
  return (properties ?? {}) as Record<string, Schema>;
}

function requiredOf({ required }: Schema): Set<string> {
  return new Set(Array.isArray(required) ? (required as string[]) : []);
}
