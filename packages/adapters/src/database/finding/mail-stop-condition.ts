/** The domain `d` has a cause of suspension, or its wildcard parent is suspended for abuse. */
export const OWN_OR_PARENTS_SUSPENSION = `(d.suspension_causes <> '' OR EXISTS (SELECT 1 FROM domain w
      WHERE w.id = d.parent_id AND CONCAT(',', w.suspension_causes, ',') LIKE '%,abuse,%'))`;

/** Mail from or to the domain `d` waits in the queues of the mail servers. */
export const MAIL_WAITS = `(${OWN_OR_PARENTS_SUSPENSION}
      OR EXISTS (SELECT 1 FROM partner w WHERE w.id = d.partner_id AND w.stage IS NOT NULL)
      OR EXISTS (SELECT 1 FROM relay_tenant w WHERE w.partner_id = d.partner_id AND w.status = 'paused'))`;
