import { reasonOf } from '@mailstead/core/errors';
import { createBilling } from './billing.js';
import { readCommand, runCommand } from './commands.js';
import { readBillingConfig } from './config.js';
import { createLogger } from './logger.js';
import { serve } from './serve.js';

/** Runs the billing process, or one of its commands beside it. */
async function main(): Promise<void> {
  const command = readCommand(process.argv.slice(2));
  const config = readBillingConfig();
  if (command.name === 'serve') return serve(await createBilling(config, createLogger(config.logLevel)));
  // The output of a command is its result, so its log is on standard error, with warnings only.
  const logger = createLogger(config.logLevel === 'debug' ? 'debug' : 'error', process.stderr);
  process.exit(await runCommand(command, await createBilling(config, logger)));
}

main().catch((error: unknown) => {
  process.stderr.write(`${reasonOf(error)}\n`);
  process.exit(1);
});
