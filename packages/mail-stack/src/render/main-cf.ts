/** A parameter of a main.cf, as in postconf(5): a line that begins with white space continues the one before. */
export interface MainParameter {
  name: string;
  value: string;
  /** The number of its first line, from 1, and of its lines up to the last part of its value. */
  line: number;
  lines: number;
}

/** Returns the parameters in their order. A name that stands several times is in the list as often. */
export function parametersOf(text: string): MainParameter[] {
  const parameters: MainParameter[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (/^\s*(#|$)/.test(line)) continue;
    const last = parameters.at(-1);
    if (/^\s/.test(line) && last !== undefined) {
      last.value = `${last.value} ${line.trim()}`.trim();
      last.lines = index + 2 - last.line;
    } else {
      const [name = '', ...value] = line.split('=');
      parameters.push({ name: name.trim(), value: value.join('=').trim(), line: index + 1, lines: 1 });
    }
  }
  return parameters;
}

/** Returns the text without the parameters that stand again later, which Postfix does not use. */
export function withoutOverridden(text: string): string {
  const parameters = parametersOf(text);
  const overridden = parameters.filter(({ name }, index) =>
    parameters.slice(index + 1).some((later) => later.name === name),
  );
  const isOverridden = (number: number): boolean =>
    overridden.some(({ line, lines }) => number >= line && number < line + lines);
  return text
    .split('\n')
    .filter((_, index) => !isOverridden(index + 1))
    .join('\n');
}
