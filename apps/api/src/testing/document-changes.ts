import type { Schema } from '../http/fields/field-notes.js';

type Direction = 'request' | 'response';
type Document = Schema & { paths: Record<string, Record<string, Schema>>; components: Record<string, Schema> };

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

  constructor(
    private readonly before: Document,
    private readonly after: Document,
  ) {}

  all(): string[] {
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

  private compareOperations(before: Schema, after: Schema, where: string): void {
    if (before.operationId !== after.operationId) this.found.push(`${where} has another operationId`);
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
      if (other === undefined) this.found.push(`${place.path} has no ${type} any more`);
      else this.compare(media.schema, other.schema, place);
    }
  }

  private compare(former: unknown, now: unknown, place: Place): void {
    if (former === undefined || now === undefined) return;
    const pair = `${JSON.stringify(former)} ${JSON.stringify(now)}`;
    if (place.seen.has(pair)) return;
    place.seen.add(pair);
    const before = this.resolve(former as Schema, this.before);
    const after = this.resolve(now as Schema, this.after);
    const alternatives = [alternativesOf(before), alternativesOf(after)] as const;
    if (alternatives[0].length + alternatives[1].length > 0) {
      this.compareAlternatives(...alternatives, place);
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

  /** Alternatives stand in an order; a new one may only follow. */
  private compareAlternatives(before: Schema[], after: Schema[], place: Place): void {
    if (before.length > after.length) this.found.push(`${place.path} has fewer alternatives`);
    for (const [index, each] of before.entries()) {
      this.compare(each, after[index], { ...place, path: `${place.path}(${index + 1})` });
    }
    if (place.direction === 'response' && before.length > 0 && after.length > before.length) {
      this.found.push(`${place.path} has more alternatives`);
    }
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
    if (direction === 'response') return;
    for (const name of ['maximum', 'maxLength', 'maxItems']) {
      if (after[name] !== undefined && Number(after[name]) < Number(before[name] ?? Number.POSITIVE_INFINITY))
        this.found.push(`${path} has a lower ${name}`);
    }
    for (const name of ['minimum', 'minLength', 'minItems']) {
      if (Number(after[name] ?? Number.NEGATIVE_INFINITY) > Number(before[name] ?? Number.NEGATIVE_INFINITY))
        this.found.push(`${path} has a higher ${name}`);
    }
    if (after.pattern !== undefined && after.pattern !== before.pattern) this.found.push(`${path} has another pattern`);
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

function alternativesOf({ anyOf, oneOf }: Schema): Schema[] {
  return [...listOf(anyOf), ...listOf(oneOf)];
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
