import {
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsIP,
  IsObject,
  Matches,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { ENDPOINT, LISTEN_ADDRESS, parseEndpoint, parseListenAddress } from './endpoint.js';
import { fillSection, noteReader, nullAsDefault, UNREADABLE } from './fill-section.js';

/** A rule for a text setting. */
export interface TextRule {
  pattern: RegExp;
  /** Describes a valid value; part of the error message. */
  expects: string;
}

export function Text({ pattern, expects }: TextRule): PropertyDecorator {
  return Matches(pattern, { message: `must be ${expects}` });
}

export function Texts({ pattern, expects }: TextRule, minEntries: number): PropertyDecorator {
  const message = `must be a list, each entry ${expects}`;
  return all(
    IsArray({ message }),
    ArrayMinSize(minEntries, { message }),
    Matches(pattern, { each: true, message }),
    nullAsDefault(),
  );
}

/**
 * A list of the addresses of single hosts. Dovecot compares no IPv4 address with one that is written as IPv6, and takes
 * no address for all.
 */
export function HostAddresses(): PropertyDecorator {
  const message = 'must be a list, each entry the address of one host, such as 192.0.2.7, without a network length';
  return all(
    IsArray({ message }),
    IsIP(undefined, { each: true, message }),
    Matches(/^(?:(?!0\.0\.0\.0$)[0-9.]+|(?![0:]+$)[0-9A-Fa-f:]+)$/, { each: true, message }),
    nullAsDefault(),
  );
}

/** An integer from `min` to `max`. */
export function Whole(min: number, max: number): PropertyDecorator {
  const message = `must be a whole number from ${min} to ${max}`;
  return all(IsInt({ message }), Min(min, { message }), Max(max, { message }), nullAsDefault());
}

export function Flag(): PropertyDecorator {
  return all(IsBoolean({ message: 'must be true or false' }), nullAsDefault());
}

export function Choice(...values: string[]): PropertyDecorator {
  return all(IsIn(values, { message: `must be one of ${values.join(', ')}` }), nullAsDefault());
}

/** A text that is parsed to an Endpoint. */
export function EndpointText(): PropertyDecorator {
  return all(IsObject({ message: `must be ${ENDPOINT.expects}` }), noteReader(readEndpoint));
}

/** A list of texts that are parsed to Endpoints. */
export function EndpointTexts(): PropertyDecorator {
  const message = `must be a list, each entry ${ENDPOINT.expects}`;
  const read = (value: unknown) => (Array.isArray(value) ? value.map(readEndpoint) : value);
  return all(IsArray({ message }), IsObject({ each: true, message }), noteReader(read), nullAsDefault());
}

/**
 * A text that is parsed to a ListenAddress. @param anyHost the host for a value without one; null is all addresses of
 * the machine.
 */
export function ListenText(anyHost: string | null = null): PropertyDecorator {
  const parse = (text: string) => {
    const { host, port } = parseListenAddress(text);
    return { host: host ?? anyHost, port };
  };
  const read = (value: unknown) => readText(value, LISTEN_ADDRESS, parse);
  return all(IsObject({ message: `must be ${LISTEN_ADDRESS.expects}` }), noteReader(read));
}

/** An object of settings. */
export function Section(make: () => object): PropertyDecorator {
  return all(
    ValidateNested({ message: 'must be an object' }),
    noteReader((value) => fillSection(make(), value)),
    nullAsDefault(),
  );
}

/** A list of objects of settings. */
export function Sections(make: () => object): PropertyDecorator {
  const read = (value: unknown) =>
    Array.isArray(value) ? value.map((each: unknown) => fillSection(make(), each)) : value;
  return all(
    IsArray({ message: 'must be a list' }),
    ValidateNested({ message: 'must be an object' }),
    noteReader(read),
    nullAsDefault(),
  );
}

function readEndpoint(value: unknown): unknown {
  return readText(value, ENDPOINT, parseEndpoint);
}

function readText(value: unknown, { pattern }: TextRule, parse: (text: string) => object): unknown {
  return typeof value === 'string' && pattern.test(value) ? parse(value) : UNREADABLE;
}

function all(...decorators: PropertyDecorator[]): PropertyDecorator {
  return (prototype, name) => {
    for (const decorate of decorators) decorate(prototype, name);
  };
}
