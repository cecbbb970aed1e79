import { readSettings, SettingsError } from './read-settings.js';
import { Choice, Days, Percent, Port, Switch, Text, Whole } from './rules.js';

class Example {
  @Port() apiPort = 8_080;
  @Port(1) workerPort: number | null = null;
  @Days(0, 365) keepDays = 30;
  @Whole(4, 12) cost = 10;
  @Percent(0.1) bounceRate = 3;
  @Switch() schedules = true;
  @Choice('closed', 'open') onFailure: 'closed' | 'open' = 'closed';
  @Choice('error', 'warn', 'info') level = 'info';
  @Choice('ses') relay: 'ses' | null = null;
  @Text() folder = './data';
  @Text(/^sk_\w+$/, 'must be like sk_1') secret = '';
}

const REQUIRED = { SECRET: 'sk_1' };

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    readSettings(Example, environment);
    return [];
  } catch (error) {
    return error instanceof SettingsError ? error.problems : [String(error)];
  }
}

describe('the settings of a process', () => {
  it('have defaults for variables that are not set, empty or blank', () => {
    expect(readSettings(Example, { ...REQUIRED, API_PORT: '', SCHEDULES: ' ' })).toEqual(
      Object.assign(new Example(), { secret: 'sk_1' }),
    );
  });

  it('are read as the decorator of the field says, without blanks around them', () => {
    const given = {
      API_PORT: ' 80 ',
      KEEP_DAYS: '1e2',
      BOUNCE_RATE: '0.5',
      SCHEDULES: 'Off',
      RELAY: 'ses',
      FOLDER: ' 7 ',
    };
    expect(readSettings(Example, { ...REQUIRED, ...given })).toMatchObject({
      apiPort: 80,
      keepDays: 100,
      bounceRate: 0.5,
      schedules: false,
      relay: 'ses',
      folder: '7',
    });
  });

  it('cannot be changed', () => {
    expect(Object.isFrozen(readSettings(Example, REQUIRED))).toBe(true);
  });

  it('are all named when they are wrong, with their rules, and without their values', () => {
    const wrong = {
      API_PORT: '65536',
      WORKER_PORT: '0',
      KEEP_DAYS: '7d',
      COST: '4.5',
      BOUNCE_RATE: '0',
      SCHEDULES: 'maybe',
      ON_FAILURE: 'Open',
      LEVEL: 'loud',
      RELAY: 'postmark',
      SECRET: 'hidden',
    };
    expect(problemsOf(wrong)).toEqual([
      'API_PORT: must be a port, 0 to 65535',
      'WORKER_PORT: must be a port, 1 to 65535',
      'KEEP_DAYS: must be whole days, 0 to 365',
      'COST: must be a whole number from 4 to 12',
      'BOUNCE_RATE: must be a number from 0.1 to 100',
      'SCHEDULES: must be true or false',
      'ON_FAILURE: must be closed or open',
      'LEVEL: must be one of error, warn, info',
      'RELAY: must be ses, or not set',
      'SECRET: must be like sk_1',
    ]);
  });

  it('are required when the decorator refuses the default', () => {
    expect(problemsOf({})).toEqual(['SECRET: must be like sk_1']);
  });

  it('have problems between each other, besides the wrong ones', () => {
    const read = () => readSettings(Example, { COST: 'x' }, ({ folder }) => [`FOLDER: ${folder} is taken`]);
    expect(read).toThrow(
      'The settings are wrong:\n  - COST: must be a whole number from 4 to 12\n  - SECRET: must be like sk_1\n  - FOLDER: ./data is taken',
    );
  });

  it('must have a decorator each', () => {
    class Forgotten {
      port = 1;
    }
    expect(() => readSettings(Forgotten, {})).toThrow('Forgotten.port has no decorator that says how it is read');
  });
});
