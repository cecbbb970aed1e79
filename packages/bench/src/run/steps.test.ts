import { type Bench, stepsOf } from './steps.js';

const nothing = async (): Promise<void> => {};
const BENCHES: Record<string, Bench> = {
  mail: { parts: { busy: nothing, 'port-25': nothing } },
  reads: { parts: { mariadb: nothing, sqlite: nothing }, isHttp: true },
};
const namesOf = (asked: string[], otherLine: string | null = null) =>
  stepsOf(asked, BENCHES, otherLine).map(({ name }) => name);

describe('the steps of a run', () => {
  it('are the parts of what was asked for, each once, in the order of the benches', () => {
    expect(namesOf(['all'])).toEqual(['mail/busy', 'mail/port-25', 'reads/mariadb', 'reads/sqlite']);
    expect(namesOf(['http'])).toEqual(['reads/mariadb', 'reads/sqlite']);
    expect(namesOf(['reads/sqlite', 'reads', 'mail/busy'])).toEqual(['mail/busy', 'reads/mariadb', 'reads/sqlite']);
  });

  it('measure HTTP benches on the other Node after each part on this one, into a file of its own', () => {
    expect(namesOf(['all'], '24')).toEqual([
      'mail/busy',
      'mail/port-25',
      'reads/mariadb',
      'reads-node-24/mariadb',
      'reads/sqlite',
      'reads-node-24/sqlite',
    ]);
    expect(stepsOf(['reads'], BENCHES, '24').map(({ file, isOnOtherNode }) => [file, isOnOtherNode])).toEqual([
      ['reads', false],
      ['reads-node-24', true],
      ['reads', false],
      ['reads-node-24', true],
    ]);
  });

  it('are refused for a name that is no bench or part, with the names that are', () => {
    expect(() => namesOf(['reads', 'mails', 'mail/none'])).toThrow('Unknown: mails, mail/none. npm run bench');
  });
});
