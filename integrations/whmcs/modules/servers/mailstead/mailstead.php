<?php

/**
 * Mailstead's provisioning module for WHMCS: the functions that WHMCS calls by their names.
 *
 * A function that changes something returns 'success', or one sentence that says why it did not. Every one of them may be
 * repeated. See docs/whmcs.md of Mailstead.
 *
 * @see https://developers.whmcs.com/provisioning-modules/
 * @license MIT
 */

declare(strict_types=1);

if (!defined('WHMCS')) {
    die('This file cannot be accessed directly');
}

foreach (['Failure', 'ApiProblem', 'ServerAddress', 'DeadlineStream', 'HttpResponse', 'HttpClient', 'ModuleLog',
    'Api', 'Caller', 'Settings', 'Service', 'DomainCommands', 'PortalLogin', 'DnsRecords', 'ServicesOfServer',
    'UsageRows', 'UsageImport', 'Module'] as $mailsteadClass) {
    require_once __DIR__ . "/lib/$mailsteadClass.php";
}
unset($mailsteadClass);

use Mailstead\Whmcs\DnsRecords;
use Mailstead\Whmcs\DomainCommands;
use Mailstead\Whmcs\Module;
use Mailstead\Whmcs\PortalLogin;
use Mailstead\Whmcs\Settings;
use Mailstead\Whmcs\UsageImport;

/** @return array<string, mixed> */
function mailstead_MetaData(): array
{
    return [
        'DisplayName' => 'Mailstead',
        'APIVersion' => '1.1',
        'RequiresServer' => true,
        'DefaultNonSSLPort' => '8080',
        'DefaultSSLPort' => '443',
        'ServiceSingleSignOnLabel' => 'Open the mail settings',
    ];
}

/** @return array<string, array<string, mixed>> the options of a product, in the order of configoption1, 2, … */
function mailstead_ConfigOptions(): array
{
    return Settings::options();
}

/** @return array{success: bool, error: string} */
function mailstead_TestConnection(array $params): array
{
    $answer = Module::run('TestConnection', $params, static fn (Module $module) => $module->caller());
    return ['success' => $answer->sentence === null, 'error' => $answer->sentence ?? ''];
}

/** Creates the domain of the service, sets its plan, and activates it. */
function mailstead_CreateAccount(array $params): string
{
    return Module::run('CreateAccount', $params, static fn (Module $module) => (new DomainCommands($module))->create())->text();
}

/** Suspends the domain, with the cause `partner` or `billing` by the kind of token. */
function mailstead_SuspendAccount(array $params): string
{
    return Module::run('SuspendAccount', $params, static fn (Module $module) => (new DomainCommands($module))->suspend())->text();
}

/** Lifts the cause that SuspendAccount sets. */
function mailstead_UnsuspendAccount(array $params): string
{
    return Module::run('UnsuspendAccount', $params, static fn (Module $module) => (new DomainCommands($module))->activate())->text();
}

/** Suspends the domain; deletes it only when the product says so. */
function mailstead_TerminateAccount(array $params): string
{
    return Module::run('TerminateAccount', $params, static fn (Module $module) => (new DomainCommands($module))->terminate())->text();
}

/** Sets the plan of the product. */
function mailstead_ChangePackage(array $params): string
{
    return Module::run('ChangePackage', $params, static fn (Module $module) => (new DomainCommands($module))->changePlan())->text();
}

/** Writes the storage and the transfer of each service of the server into WHMCS's table of services. */
function mailstead_UsageUpdate(array $params): string
{
    return Module::run('UsageUpdate', $params, static fn (Module $module) => (new UsageImport($module))->run())->text();
}

/** @return array{success: bool, redirectTo?: string, errorMsg?: string} */
function mailstead_ServiceSingleSignOn(array $params): array
{
    $answer = Module::run('ServiceSingleSignOn', $params, static fn (Module $module) => (new PortalLogin($module))->link());
    return $answer->sentence === null
        ? ['success' => true, 'redirectTo' => $answer->value]
        : ['success' => false, 'errorMsg' => $answer->sentence];
}

/**
 * The page of a customer. A service that is not active has nothing to show, and Mailstead is not asked.
 *
 * @return array{tabOverviewModuleOutputTemplate: string, templateVariables: array<string, mixed>}
 */
function mailstead_ClientArea(array $params): array
{
    $isActive = ($params['status'] ?? 'Active') === 'Active';
    $answer = $isActive ? Module::run('ClientArea', $params, static fn (Module $module) => (new DnsRecords($module))->read()) : null;
    return [
        'tabOverviewModuleOutputTemplate' => 'templates/clientarea.tpl',
        'templateVariables' => ['mailsteadIsActive' => $isActive, 'mailsteadDns' => $answer?->value],
    ];
}
