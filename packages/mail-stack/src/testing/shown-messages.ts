import type { ApiCaller } from './api-caller.js';
import { until } from './until.js';

/** A row of the trail with its steps, as the API shows it. */
export interface ShownMessage {
  id: string;
  direction: string;
  domain: string;
  sender: string;
  recipient: string;
  state: string;
  reason: string | null;
  message_id: string | null;
  steps: { at: string; step: string; detail: string | null }[];
}

/** The messages to a recipient that a caller sees, with their steps, once there are as many in these states. */
export async function shownMessages(caller: ApiCaller, recipient: string, states: string[]): Promise<ShownMessage[]> {
  const read = async () => (await caller.get(`/messages?recipient=${recipient}`)) as unknown as ShownMessage[];
  const found = await until(`the messages to ${recipient}`, async () => {
    const rows = await read();
    const known = rows.map(({ direction, state }) => `${direction} ${state}`).sort();
    return JSON.stringify(known) === JSON.stringify([...states].sort()) ? rows : null;
  });
  return await Promise.all(
    found.map(async ({ id }) => (await caller.get(`/messages/${id}`)) as unknown as ShownMessage),
  );
}
