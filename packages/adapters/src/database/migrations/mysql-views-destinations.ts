import type { Statement } from './step.js';

/** The mail servers forward to the outside, as `grants.sql` wrote it down from their settings. */
const FORWARDING = "EXISTS (SELECT 1 FROM installation i WHERE i.name = 'forwarding' AND i.value = 'on')";

/** A mailbox of an open domain takes what is sent to the destination. */
const DELIVERED = `EXISTS (
    SELECT 1 FROM mailbox m JOIN domain md ON md.id = m.domain_id
     WHERE m.email = a.destination AND md.inbound = 'open')`;

/**
 * The destination was made as an outside one, and its domain is not open here. An alias to a mailbox whose domain is pending is
 * not outside: otherwise the alias would carry the mail to whoever has that name elsewhere.
 */
const OUTSIDE = `(a.destination_mailbox_id IS NULL
    AND NOT EXISTS (SELECT 1 FROM domain o WHERE o.name = SUBSTRING_INDEX(a.destination, '@', -1) AND o.inbound = 'open'))`;

/**
 * Mail that came in without a login must not leave by a relay: an alias is listed only when its own domain is open, and its
 * destination is a mailbox of an open domain or an outside address while the mail servers forward. No view names a pending domain.
 */
export const mysqlViewsDestinations: Statement[] = [
  [
    'ListDeliverableAliases',
    `CREATE OR REPLACE SQL SECURITY DEFINER VIEW mta_aliases AS
     SELECT a.address, a.destination, d.name AS domain
       FROM alias a JOIN domain d ON d.id = a.domain_id
      WHERE d.inbound = 'open' AND (${DELIVERED} OR (${OUTSIDE} AND ${FORWARDING}))`,
  ],
  [
    'ListRelaysOfOpenDomains',
    `CREATE OR REPLACE SQL SECURITY DEFINER VIEW mta_relay AS
     SELECT r.domain, r.relayhost FROM mta_relay_host r JOIN domain d ON d.name = r.domain
      WHERE d.inbound = 'open'`,
  ],
  [
    // For the doctor of the mail stack: the two switches of forwarding must agree.
    'CreateMtaForwarding',
    `CREATE OR REPLACE SQL SECURITY DEFINER VIEW mta_forwarding AS
     SELECT EXISTS (SELECT 1 FROM installation i WHERE i.name = 'allow_external_forward' AND i.value = 'true') AS allowed,
            ${FORWARDING} AS set_up`,
  ],
];
