import { incomingText } from '../verdict-text.js';
import { Counterpart } from './counterpart.js';
import { lacksMx } from './dns-stops.js';
import type { MailStateFacts } from './mail-state.js';
import { isSameStop } from './sending-stop.js';
import { StopCard } from './stop-card.js';

/** Why no mail comes in, unless the card of outgoing mail, or that of the DNS records, says so. */
export function ReceivingStop({ verdict, incoming, reader, facts }: MailStateFacts) {
  if (incoming.action === 'accept' || isSameStop(verdict, incoming)) return null;
  // A domain that is not open for mail gets none, whatever its MX records are.
  if (incoming.action !== 'none' && lacksMx(facts)) return null;
  return (
    <StopCard
      severity={incoming.action === 'none' ? 'wait' : 'bad'}
      what={incomingText(incoming)}
      now={<Counterpart reader={reader} />}
    />
  );
}
