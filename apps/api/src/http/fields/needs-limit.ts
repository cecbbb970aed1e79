import { ValidateBy } from 'class-validator';

/** Refuses the field in a query without `limit`. */
export function NeedsLimit(): PropertyDecorator {
  return ValidateBy(
    {
      name: 'needsLimit',
      validator: { validate: (_, args) => args !== undefined && Reflect.get(args.object, 'limit') !== undefined },
    },
    { message: 'needs `limit`: without it the list is complete, so count its rows' },
  );
}
