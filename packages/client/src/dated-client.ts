import type { Client, FetchResponse, MaybeOptionalInit } from 'openapi-fetch';
import type { paths } from './generated/api-types.js';
import type { InputTimeField, TimeField } from './generated/time-fields.js';

/** A value of a response with its times as `Date`. A time that may be null or left out stays so. */
export type Dated<Value> = Value extends object
  ? { [Field in keyof Value]: Field extends TimeField ? DateOf<Value[Field]> : Dated<Value[Field]> }
  : Value;

type DateOf<Value> = Value extends string ? Date : Value;

/** A value of a request, in which times may be `Date`. */
type DatedInput<Value> = Value extends object
  ? {
      [Field in keyof Value]: Field extends InputTimeField
        ? Value[Field] | DateOf<Value[Field]>
        : DatedInput<Value[Field]>;
    }
  : Value;

type Verb = 'get' | 'put' | 'post' | 'delete';

/** The routes with times as `Date` in parameters and bodies. */
export type InputPaths = {
  [Path in keyof paths]: { [Method in keyof paths[Path]]: DatedRequest<paths[Path][Method]> };
};

type DatedRequest<Operation> = {
  [Part in keyof Operation]: Part extends 'parameters' | 'requestBody' ? DatedInput<Operation[Part]> : Operation[Part];
};

type PathsWith<Method extends Verb> = {
  [Path in keyof paths]: paths[Path] extends Record<Method, { responses: object }> ? Path : never;
}[keyof paths];

/**
 * The methods of openapi-fetch, with times as `Date` in the data. Its own types cannot have them: they take every
 * object in a response apart, a `Date` too.
 */
export interface DatedClient extends Pick<Client<paths>, 'use' | 'eject'> {
  GET: DatedMethod<'get'>;
  PUT: DatedMethod<'put'>;
  POST: DatedMethod<'post'>;
  DELETE: DatedMethod<'delete'>;
}

type DatedMethod<Method extends Verb> = <Path extends PathsWith<Method>, Init extends InitOf<Path, Method>>(
  url: Path,
  ...init: undefined extends InitOf<Path, Method>
    ? [init?: Init & Record<string, unknown>]
    : [init: Init & Record<string, unknown>]
) => Promise<DatedResult<FetchResponse<Operation<Path, Method>, Init, `${string}/${string}`>>>;

type InitOf<Path extends keyof paths, Method> = MaybeOptionalInit<InputPaths[Path], Method & keyof InputPaths[Path]>;

type Operation<Path extends keyof paths, Method> = Method extends keyof paths[Path]
  ? paths[Path][Method] & Record<string | number, unknown>
  : never;

type DatedResult<Result> = Result extends { data: infer Data; response: Response }
  ? { data: Dated<Data>; error?: never; response: Response }
  : Result;
