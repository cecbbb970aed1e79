# The only script of mailboxes; rendered by `npm run mail-stack -- render`.
require ["duplicate", "envelope", "fileinto", "index", "variables"];

# One copy for a mailbox that a message names by several addresses. Postfix delivers a copy for each of them, with the same field
# Received, which has the queue id; above it is only the one that Dovecot adds to each copy. A sender cannot make that field.
# Postfix writes `for <address>` into it when the message has one recipient, so most messages need no record. A mailbox and its
# subaddress (`+tag`) are two recipients.
if header :index 2 :matches "Received" "*" {
  set "received" "${1}";
}
if allof (string :contains "${received}" "by {{hostname}} (Postfix", not string :contains "${received}" "for <") {
  if envelope :matches "to" "*" {
    set :lower "to" "${1}";
  }
  if duplicate :seconds 7200 :uniqueid "${to} ${received}" {
    discard;
    stop;
  }
}
{{#junk}}

# Stores spam in Junk (`dovecot.junk`). Postfix removes such fields of senders, so the filter wrote it.
if header :is "X-Spam" "Yes" {
  fileinto "Junk";
  stop;
}
{{/junk}}
