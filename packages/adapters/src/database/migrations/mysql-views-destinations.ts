import type { Statement } from './step.js';

/** Whether the mail servers forward to outside addresses. `grants.sql` stores it from their settings. */
export const FORWARDING = "EXISTS (SELECT 1 FROM installation i WHERE i.name = 'forwarding' AND i.value = 'on')";

/** Whether the destination is a mailbox of an open domain. */
const DELIVERED = `EXISTS (
    SELECT 1 FROM mailbox m JOIN domain md ON md.id = m.domain_id
     WHERE m.email = a.destination AND md.inbound = 'open')`;

/**
 * Whether the destination was created as an outside address, and its domain is not open here. An alias to a mailbox of
 * a pending domain is not outside: otherwise its mail would go to the owner of that domain name elsewhere.
 */
const OUTSIDE = `(a.destination_mailbox_id IS NULL
    AND NOT EXISTS (SELECT 1 FROM domain o WHERE o.name = SUBSTRING_INDEX(a.destination, '@', -1) AND o.inbound = 'open'))`;

/**
 * Mail that was received without a login must not be relayed. So an alias is listed only when its own domain is open,
 * and its destination is a mailbox of an open domain or, while the mail servers forward, an outside address. No view
 * lists a pending domain.
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
    // The doctor of the mail stack checks that both switches of forwarding have the same value.
    'CreateMtaForwarding',
    `CREATE OR REPLACE SQL SECURITY DEFINER VIEW mta_forwarding AS
     SELECT EXISTS (SELECT 1 FROM installation i WHERE i.name = 'allow_external_forward' AND i.value = 'true') AS allowed,
            ${FORWARDING} AS set_up`,
  ],
];
