import fc from '../../../../scripts/fast-check.mjs';
import { sampled } from './sampled.js';

/** Compared over so many: a single one may begin to fill a cache or to need a collection of garbage each time. */
const COMPARED_DOUBLINGS = 3;
/** Of the longest. The shortest first: a cost that is not linear is noticed while it is small. */
const LENGTHS = [2 ** (-2 * COMPARED_DOUBLINGS), 2 ** -COMPARED_DOUBLINGS, 1];
/** The runs of the eighth, whose cost must not be overrated. */
const RUNS = 5;
/** A cost that is not linear is so every time; other causes, such as a full cache, are not. */
const ATTEMPTS = 10;
/** Below it, a reader takes as long as any other, and the cost says more about the machine than about the text. */
const NOTICED_MS = 20;
/** For a doubling. Linear is 2, quadratic 4. */
const MOST_GROWTH = 2.5;

/** A text of any length: one beginning, a unit that is repeated, and one end. */
interface HostileText {
  first: string;
  unit: string;
  last: string;
}

/** What a stranger repeats, whatever the format is. */
const UNITS = Array.from(' \t\n,;:="\'\\([{<>/.@%0aé€😀\0');

/** What reads texts from outside, as a test calls it. */
interface Entrance<Input> {
  /** Pieces of the format; a text begins or ends with one, or repeats it. */
  pieces: readonly string[];
  /** The longest text, in characters. */
  longest: number;
  /** How many texts are drawn. Besides them, each piece is repeated, or as many pieces in a quick test. */
  draws: number;
  /** Makes the input; this is not counted. */
  inputOf: (text: string) => Input;
  read: (input: Input) => unknown;
}

/**
 * Expects `expectLinearCost` of hostile texts: long runs of blanks, separators, brackets, quotes and unfinished
 * escapes, many short fields, and characters of several bytes.
 */
export async function expectLinearTexts<Input>({ pieces, longest, draws, inputOf, read }: Entrance<Input>) {
  const units = [...UNITS, ...pieces];
  const text = fc.record({
    first: fc.constantFrom('', ...pieces),
    unit: fc.array(fc.constantFrom(...units), { minLength: 1, maxLength: 3 }).map((parts) => parts.join('')),
    last: fc.constantFrom('', '!', ...pieces),
  });
  const property = fc.asyncProperty(text, async (hostile) => {
    await expectLinearCost(longest, (length) => inputOf(textOf(hostile, length)), read);
  });
  const examples = sampled(units, draws).map((unit): [HostileText] => [{ first: '', unit, last: '!' }]);
  await fc.assert(property, { numRuns: examples.length + draws, examples });
}

/** @returns the text with about so many characters */
function textOf({ first, unit, last }: HostileText, length: number): string {
  return first + unit.repeat(Math.ceil(length / unit.length)) + last;
}

/**
 * Expects that an input of twice the length costs at most 2.5 times as much, over three doublings together: the last
 * three up to the longest, and the three before them. The cost is processor time, the smallest of several, so that
 * other programs of the machine do not count.
 *
 * @param inputOf makes the input; this is not counted
 * @param read reads it
 */
export async function expectLinearCost<Input>(
  longest: number,
  inputOf: (length: number) => Input,
  read: (input: Input) => unknown,
): Promise<void> {
  let eighth: Input | undefined;
  for (const part of LENGTHS) {
    const input = inputOf(Math.floor(longest * part));
    const cost = await costOf(input, read);
    if (cost > NOTICED_MS && eighth !== undefined) await expectLinearGrowth(eighth, input, read, cost);
    eighth = input;
  }
}

/** @param first what the whole input has cost before */
async function expectLinearGrowth<Input>(
  eighth: Input,
  whole: Input,
  read: (input: Input) => unknown,
  first: number,
): Promise<void> {
  let less = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS; run += 1) less = Math.min(less, await costOf(eighth, read));
  // The whole input is read again only while its cost is too large: a further run can only lessen it.
  let more = first;
  const growth = () => (more > NOTICED_MS ? (more / less) ** (1 / COMPARED_DOUBLINGS) : 0);
  for (let attempt = 0; attempt < ATTEMPTS * RUNS && growth() > MOST_GROWTH; attempt += 1) {
    // In turns, so that a machine that becomes slower meanwhile is slower for both.
    less = Math.min(less, await costOf(eighth, read));
    more = Math.min(more, await costOf(whole, read));
  }
  expect(growth()).toBeLessThanOrEqual(MOST_GROWTH);
}

/**
 * Expects that something costs at most `most` times as much as the least that such work costs on the same machine. The
 * costs are measured in turns, and compared as in `expectLinearCost`.
 */
export async function expectCostNear(floor: () => unknown, most: number, run: () => unknown): Promise<void> {
  let cost = Number.POSITIVE_INFINITY;
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < ATTEMPTS * RUNS && (attempt < RUNS || cost > most * least); attempt += 1) {
    least = Math.min(least, await costOf(undefined, floor));
    cost = Math.min(cost, await costOf(undefined, run));
  }
  expect(cost / least).toBeLessThanOrEqual(most);
}

/** @returns the processor time, milliseconds */
async function costOf<Input>(input: Input, read: (input: Input) => unknown): Promise<number> {
  const before = process.cpuUsage();
  await read(input);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
