import { Option, type Command } from 'commander';
import { PROGRAM_NAME } from '../../terminal/installation.js';
import type { KeysOptions, RotateOptions } from './keys.command.js';
import type { ProgramContext } from '../program-context.js';

const KEYS_HELP = `
Examples:
  ${PROGRAM_NAME} keys list
  ${PROGRAM_NAME} keys rotate
  ${PROGRAM_NAME} keys rotate --now --json
  ${PROGRAM_NAME} keys rotate --kind checkpoint-signing
  ${PROGRAM_NAME} keys remove -- kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k

While the service runs, the commands send requests to it. Otherwise they open the store directly.
`;

const REENCRYPT_HELP = `
1. Restart every process with the new KEY_ENCRYPTION_KEY, and with the former key as KEY_ENCRYPTION_KEY_PREVIOUS.
2. Run this command with the same settings. The command exits with 0 if no key is wrapped with the former key any more.
3. Restart every process without KEY_ENCRYPTION_KEY_PREVIOUS.
`;

/**
 * The choices of `--kind`, a copy of ROTATED_KINDS. An import of that constant would load the web framework for every command,
 * which takes long.
 */
const KINDS = ['token-signing', 'checkpoint-signing'] satisfies readonly RotateOptions['kind'][];

/** Adds `petstore keys` and its commands. */
export const addKeysCommands = (program: Command, { addServiceOptions, readSettings }: ProgramContext): void => {
  const keys = program.command('keys').description('manage the keys of the service').addHelpText('after', KEYS_HELP);

  addServiceOptions(keys.command('list'))
    .description('list the id, kind, status and creation time of each key, never a secret; the service may be running or stopped')
    .option('--json', 'print JSON')
    .action(async (options: KeysOptions) => (await import('./keys.command.js')).listKeysCommand(readSettings(), options));

  addServiceOptions(keys.command('rotate'))
    .description(
      'create a key that signs all tokens, after an announcement of 10 minutes, or all checkpoints; those that former keys signed stay valid',
    )
    .addOption(new Option('--kind <kind>', 'what the key signs').choices(KINDS).default(KINDS[0]))
    .option('--now', 'let the new token key, or the announced one, sign at once, for example because the current key leaked')
    .option('--json', 'print JSON')
    .action(async (options: RotateOptions) => (await import('./keys.command.js')).rotateKeyCommand(readSettings(), options));

  addServiceOptions(keys.command('remove'))
    .description('remove a former or announced token key, for example after a leak; the tokens that the key signed become invalid')
    .argument('<key>', 'the id of the key; write -- before an id that starts with -')
    .option('--json', 'print JSON')
    .action(async (key: string, options: KeysOptions) =>
      (await import('./keys.command.js')).removeKeyCommand(readSettings(), key, options),
    );

  keys
    .command('reencrypt')
    .description(
      'distributed profile: wrap all keys in MongoDB with KEY_ENCRYPTION_KEY instead of KEY_ENCRYPTION_KEY_PREVIOUS; resumes an interrupted run',
    )
    .addHelpText('after', REENCRYPT_HELP)
    .action(async () => (await import('./reencrypt.command.js')).reencryptKeysCommand(readSettings()));
};
