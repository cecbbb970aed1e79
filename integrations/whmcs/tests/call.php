<?php

/**
 * Calls one function of the module, as WHMCS does. Standard input: JSON {action, params, properties, tables, timeoutSeconds,
 * brokenProperties}; standard output: JSON {result, log, properties, tables}. Every warning of PHP is an error.
 */

declare(strict_types=1);

error_reporting(E_ALL);
set_error_handler(static fn (int $level, string $message, string $file, int $line) => (error_reporting() & $level) === 0
    ? false
    : throw new ErrorException($message, 0, $level, $file, $line));

require __DIR__ . '/whmcs-stand-in.php';
$call = json_decode((string) stream_get_contents(STDIN), true, 64, JSON_THROW_ON_ERROR);
if (isset($call['timeoutSeconds'])) {
    define('MAILSTEAD_TIMEOUT_SECONDS', $call['timeoutSeconds']);
}
require __DIR__ . '/../modules/servers/mailstead/mailstead.php';

WHMCS\Database\Capsule::$tables = $call['tables'] ?? [];
$properties = new StandInProperties($call['properties'] ?? [], $call['brokenProperties'] ?? false);
$result = ('mailstead_' . $call['action'])(['model' => new StandInModel($properties)] + $call['params']);
echo json_encode([
    'result' => $result,
    'log' => StandInLog::$entries,
    'properties' => (object) $properties->values,
    'tables' => WHMCS\Database\Capsule::$tables,
], JSON_THROW_ON_ERROR | JSON_INVALID_UTF8_SUBSTITUTE);
