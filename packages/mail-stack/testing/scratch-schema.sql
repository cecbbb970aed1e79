-- Plain tables under the names of the views of sql-contract.md, for tests of the templates alone.
-- Columns that a test rarely sets have the contract's usual value.
CREATE TABLE mta_domains (
  domain VARCHAR(255) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL PRIMARY KEY,
  suspended TINYINT NOT NULL DEFAULT 0,
  retention_days INT NOT NULL DEFAULT 0,
  transfer_cap_mb BIGINT NOT NULL DEFAULT 0,
  outbound_held TINYINT NOT NULL DEFAULT 0,
  transfer_inbound_capped TINYINT NOT NULL DEFAULT 0
);

CREATE TABLE mta_mailboxes (
  address VARCHAR(320) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL PRIMARY KEY,
  domain VARCHAR(255) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL,
  local_part VARCHAR(64) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL,
  quota_mb INT NOT NULL DEFAULT 1024,
  suspended TINYINT NOT NULL DEFAULT 0,
  active TINYINT NOT NULL DEFAULT 1
);

CREATE TABLE mta_aliases (
  address VARCHAR(320) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL,
  destination VARCHAR(320) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL,
  domain VARCHAR(255) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL,
  PRIMARY KEY (address, destination)
);

CREATE TABLE mta_sender_logins (
  address VARCHAR(320) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL,
  login VARCHAR(320) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL,
  PRIMARY KEY (address, login)
);

CREATE TABLE mta_relay (
  domain VARCHAR(255) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL PRIMARY KEY,
  relayhost VARCHAR(320) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL
);

CREATE TABLE mda_users (
  user VARCHAR(320) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL PRIMARY KEY,
  domain VARCHAR(255) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL,
  local_part VARCHAR(64) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL,
  password_hash VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  quota_mb INT NOT NULL DEFAULT 1024,
  suspended TINYINT NOT NULL DEFAULT 0,
  active TINYINT NOT NULL DEFAULT 1,
  home CHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL
);
