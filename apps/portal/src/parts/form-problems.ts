import { sayItIsRefused } from '../api/change.js';
import { fieldMessagesOf, isOfInput, sentence, sentenceOf } from '../api/problem.js';

/** The part of `useForm`'s result that shows problems. */
interface ProblemForm<Field extends string> {
  getValues: () => { [field in Field]: unknown };
  setErrors: (errors: Record<string, string>) => void;
  getInputNode: (field: Field) => HTMLElement | null;
}

/** The part of `useForm`'s result that a group of fields needs, which several forms have. */
export interface FormFields<Field extends string> {
  getInputProps: (field: Field) => object;
}

/**
 * Puts the API's sentences beside their fields, and the focus on the first. The fields of a form are named as the
 * API's. A failure that has another cause is a notification, and no field is marked.
 *
 * @param mainField gets the sentence of a problem that names no field of this form, such as a quota.
 */
export function showProblem<Field extends string>(
  form: ProblemForm<Field>,
  error: unknown,
  mainField: NoInfer<Field>,
): void {
  if (!isOfInput(error)) return sayItIsRefused(error);
  const fields = Object.keys(form.getValues()) as Field[];
  const messages = { ...named(sentenceOf(error)), ...fieldMessagesOf(error) };
  const wrong = fields.filter((field) => Object.hasOwn(messages, field));
  form.setErrors(
    wrong.length > 0
      ? Object.fromEntries(wrong.map((field) => [field, messages[field] ?? '']))
      : { [mainField]: sentenceOf(error) },
  );
  form.getInputNode(wrong[0] ?? mainField)?.focus();
}

/** A sentence about one field begins with the name of the field, as in `Daily_limit is above …`. */
function named(text: string): Record<string, string> {
  const [, field, rest] = /^(\w+) (.+)$/s.exec(text) ?? [];
  return field === undefined || rest === undefined ? {} : { [field.toLowerCase()]: sentence(rest) };
}
