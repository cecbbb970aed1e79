import { RecipientMemory } from './recipient-memory.js';

const HOUR_MS = 3_600_000;

describe('the recipients of unfinished messages of a domain', () => {
  const message = (session: string, instance = 'first', domain = 'acme.test') => ({ session, instance, domain });

  it('are what the accepted ones count as, until their message ends or the next one of its session begins', () => {
    const memory = new RecipientMemory();
    memory.note(message('one'), 'x@out.test', 1);
    memory.note(message('one'), 'list@acme.test', 50);
    memory.note(message('two'), 'x@out.test', 1);
    memory.note(message('three', 'first', 'beta.test'), 'x@out.test', 1);
    expect(['acme.test', 'beta.test', 'absent.test'].map((domain) => memory.openOf(domain))).toEqual([52, 1, 0]);
    memory.note(message('two', 'second'), 'y@out.test', 1);
    expect(memory.openOf('acme.test')).toBe(52);
    memory.forget('one');
    memory.forget('one');
    expect(memory.openOf('acme.test')).toBe(1);
    memory.forget('two');
    expect(memory.openOf('acme.test')).toBe(0);
  });

  it('do not include those of a message that was given up an hour ago', () => {
    let now = 0;
    const memory = new RecipientMemory(() => now);
    memory.note(message('given up'), 'x@out.test', 1);
    now = HOUR_MS;
    memory.note(message('two'), 'x@out.test', 1);
    expect(memory.openOf('acme.test')).toBe(1);
  });
});
