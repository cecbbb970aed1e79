type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;

/**
 * What a route makes of a body: a line for each property of the target, and one for each field of the body, under its
 * name in camelCase. A forgotten line does not compile.
 *
 * @typeParam Elsewhere the fields that the route reads in another way
 */
export type EveryFieldOf<Body, Target, Elsewhere extends keyof Body = never> = Target &
  Record<keyof Target, unknown> & {
    [Field in Exclude<keyof Body & string, Elsewhere> as CamelCase<Field>]: CamelCase<Field> extends keyof Target
      ? unknown
      : never;
  };

/** Reads the field of a body that has no other. It does not compile for a body with a second field. */
export function onlyField<Body extends object, Field extends keyof Body>(
  body: Body,
  field: keyof Body extends Field ? Field : never,
): Body[Field] {
  return body[field];
}
