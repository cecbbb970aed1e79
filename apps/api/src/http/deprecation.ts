import { alternativesOf, type DtoClass, fieldsOf } from './fields/field-notes.js';
import type { Route } from './route.js';

/** What a route or a field of a DTO says about its end. Both days are days of UTC, such as `2026-12-01`. */
export interface Deprecation {
  /** From this day on it is deprecated. */
  since: string;
  /** From this day on it may be gone: at least twelve months after `since`. */
  sunset: string;
  /** What programs use instead, a sentence of the OpenAPI document. */
  use: string;
}

type Headers = Record<string, string>;

/** The page about deprecations, which this service serves. */
const PAGE = '</docs/api-versions.md>; rel="deprecation"; type="text/plain"';
/** Several routes have the same bodies and responses, and the document asks about each route again. */
const KNOWN = new WeakMap<DtoClass, BodyFields | null>();
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** What of a route is deprecated: the route, fields of its query and fields of its body. */
export class RouteDeprecations {
  private readonly query: ReadonlyMap<string, Deprecation>;
  private readonly body: BodyFields | null;
  private readonly given: readonly Deprecation[];

  /** @throws Error for a deprecation that ends too early, or whose days are none */
  constructor(private readonly route: Pick<Route, 'method' | 'path' | 'deprecated' | 'query' | 'body' | 'response'>) {
    this.query = ownOf(route.query);
    this.body = route.body === undefined ? null : fieldsIn(route.body);
    this.given = [
      ...(route.deprecated === undefined ? [] : [route.deprecated]),
      ...this.query.values(),
      ...deprecatedIn(this.body),
    ];
    const responses = [route.response ?? []].flat();
    for (const each of [...this.given, ...responses.flatMap((dto) => [...deprecatedIn(fieldsIn(dto))])]) {
      refuseHasty(each, `${route.method.toUpperCase()} ${route.path}`);
    }
  }

  /** Whether a response of the route may have the headers. */
  get any(): boolean {
    return this.given.length > 0;
  }

  /**
   * The headers of a response. Of several deprecations the earliest days count.
   *
   * @param url the path and query as the caller wrote them
   * @param body the parsed JSON of the request, not checked yet
   */
  headersFor(url: string, body: unknown): Headers {
    const found = new Set<Deprecation>(this.route.deprecated === undefined ? [] : [this.route.deprecated]);
    if (this.query.size > 0) {
      const given = new URLSearchParams(url.split('?').slice(1).join('?'));
      for (const [name, deprecation] of this.query) if (given.has(name)) found.add(deprecation);
    }
    if (this.body !== null) collect(this.body, body, found);
    return headersOf([...found]);
  }
}

/** The deprecated fields of a class and, by field, those of the objects in it. Null when there are none. */
interface BodyFields {
  own: ReadonlyMap<string, Deprecation>;
  below: ReadonlyMap<string, BodyFields>;
}

function fieldsIn(dto: DtoClass): BodyFields | null {
  const known = KNOWN.get(dto);
  if (known !== undefined) return known;
  const found = fieldsBelow(dto);
  KNOWN.set(dto, found);
  return found;
}

function fieldsBelow(dto: DtoClass, above: readonly DtoClass[] = []): BodyFields | null {
  if (above.includes(dto)) return null;
  const classes = [dto, ...alternativesOf(dto)];
  const own = new Map(classes.flatMap((each) => [...ownOf(each)]));
  const below = new Map<string, BodyFields>();
  for (const [name, { refers }] of classes.flatMap((each) => [...fieldsOf(each)])) {
    for (const nested of refers) {
      const fields = fieldsBelow(nested, [...above, dto]);
      if (fields !== null) below.set(name, fields);
    }
  }
  return own.size + below.size === 0 ? null : { own, below };
}

function ownOf(dto: DtoClass | undefined): ReadonlyMap<string, Deprecation> {
  const fields = dto === undefined ? [] : [...fieldsOf(dto)];
  return new Map(
    fields.flatMap(([name, { deprecated }]) => (deprecated === null ? [] : [[name, deprecated] as const])),
  );
}

function deprecatedIn(fields: BodyFields | null): Set<Deprecation> {
  const found = new Set<Deprecation>();
  const walk = ({ own, below }: BodyFields) => {
    for (const deprecation of own.values()) found.add(deprecation);
    for (const each of below.values()) walk(each);
  };
  if (fields !== null) walk(fields);
  return found;
}

/** Adds what occurs in a JSON value. A list has the fields of its items. */
function collect({ own, below }: BodyFields, value: unknown, found: Set<Deprecation>): void {
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return;
  if (Array.isArray(value)) {
    for (const item of value) collect({ own, below }, item, found);
    return;
  }
  for (const [name, deprecation] of own) if (Object.hasOwn(value, name)) found.add(deprecation);
  for (const [name, fields] of below) if (Object.hasOwn(value, name)) collect(fields, Reflect.get(value, name), found);
}

function headersOf(found: readonly Deprecation[]): Headers {
  if (found.length === 0) return {};
  const since = Math.min(...found.map((each) => timeOf(each.since)));
  const sunset = Math.min(...found.map((each) => timeOf(each.sunset)));
  return { Deprecation: `@${since / 1_000}`, Sunset: new Date(sunset).toUTCString(), Link: PAGE };
}

function refuseHasty({ since, sunset }: Deprecation, where: string): void {
  const [from, until] = [timeOf(since), timeOf(sunset)];
  if (Number.isNaN(from) || Number.isNaN(until)) {
    throw new Error(`${where}: a deprecation needs two days like 2026-12-01, not ${since} and ${sunset}`);
  }
  const earliest = new Date(from);
  earliest.setUTCFullYear(earliest.getUTCFullYear() + 1);
  if (until < earliest.getTime()) {
    throw new Error(`${where}: deprecated since ${since}, it must work for twelve months, not until ${sunset}`);
  }
}

/** @returns NaN for what is no day. Node reads the 30th of February as a day of March. */
function timeOf(day: string): number {
  const time = DAY.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day) ? time : Number.NaN;
}
