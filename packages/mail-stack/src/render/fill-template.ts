/** The values for a template's names. Null and false omit a block. */
export type TemplateValues = Record<string, string | number | boolean | null>;

const BLOCK_LINE = /^\{\{([#^])(\w+)\}\}\n([\s\S]*?)^\{\{\/\2\}\}\n/gm;
const BLOCK = /\{\{([#^])(\w+)\}\}(.*?)\{\{\/\2\}\}/g;
const VALUE = /\{\{(\w+)\}\}/g;

/**
 * Replaces `{{name}}` by its value. Keeps the block `{{#name}}…{{/name}}` when the value is set, and the block
 * `{{^name}}…{{/name}}` when it is not.
 *
 * @throws Error for a name without a value.
 */
export function fillTemplate(template: string, values: TemplateValues): string {
  const valueOf = (name: string): string | number | boolean | null => {
    const value = values[name];
    if (value === undefined) throw new Error(`The template names {{${name}}}, which has no value.`);
    return value;
  };
  const isSet = (name: string): boolean => valueOf(name) !== null && valueOf(name) !== false && valueOf(name) !== '';
  const keep = (_block: string, kind: string, name: string, body: string): string =>
    isSet(name) === (kind === '#') ? fillBlocks(body) : '';
  const fillBlocks = (text: string): string => text.replace(BLOCK_LINE, keep).replace(BLOCK, keep);
  return fillBlocks(template).replace(VALUE, (_place, name: string) => {
    const value = valueOf(name);
    if (value === null || typeof value === 'boolean') {
      throw new Error(`The template writes {{${name}}}, which is ${String(value)} here.`);
    }
    return String(value);
  });
}
