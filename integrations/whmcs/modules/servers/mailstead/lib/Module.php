<?php

declare(strict_types=1);

namespace Mailstead\Whmcs;

/** One call of a function of the module: its server, its token, its service. */
final class Module
{
    public readonly Api $api;
    private ?Caller $caller = null;
    private ?Service $service = null;

    /** @param array<string, mixed> $params the parameters of WHMCS */
    private function __construct(
        private readonly array $params,
        public readonly ServerAddress $address,
        private readonly ModuleLog $log,
    ) {
        $this->api = new Api($address, $log);
    }

    /**
     * Runs a function and turns every error into one sentence, which the module log shows too.
     *
     * @param array<string, mixed> $params
     * @param callable(self): mixed $work
     */
    public static function run(string $action, array $params, callable $work): Answer
    {
        $log = new ModuleLog($action, self::secretsOf($params));
        try {
            $address = ServerAddress::of($params);
            return new Answer($work(new self($params, $address, $log)), null);
        } catch (Failure $failure) {
            $sentence = $log->masked($failure->getMessage());
        } catch (\Throwable $error) {
            $sentence = $log->masked('The module failed: ' . get_class($error) . ': ' . $error->getMessage());
        }
        $log->append($action, $sentence, $sentence);
        return new Answer(null, $sentence);
    }

    public function caller(?float $seconds = null): Caller
    {
        return $this->caller ??= Caller::ask($this->api, $seconds);
    }

    public function service(): Service
    {
        return $this->service ??= Service::of($this->params);
    }

    /** The id of the server in WHMCS. */
    public function serverId(): int
    {
        return (int) ($this->params['serverid'] ?? 0);
    }

    /**
     * @return array<mixed> the domain of the service's name, whoever it belongs to
     * @throws ApiProblem `domain_not_found`
     */
    public function domain(?float $seconds = null): array
    {
        return $this->api->get(Api::domainPath($this->service()->domain), $seconds) + ['suspension_causes' => []];
    }

    /**
     * @return array<mixed> the domain of the service
     * @throws Failure when the domain of this name belongs to another partner or another service
     */
    public function ownDomain(?float $seconds = null): array
    {
        $service = $this->service();
        $partner = $service->settings->partnerFor($this->caller($seconds));
        $domain = $this->domain($seconds);
        if (($domain['partner_ref'] ?? null) !== $partner) {
            throw new Failure("The domain does not belong to the partner \"$partner\". Nothing was changed.");
        }
        if (!$service->owns($domain)) {
            throw new Failure(
                "The domain was not created by this service: its external reference is not \"$service->reference\". Nothing was changed.",
            );
        }
        return $domain;
    }

    /**
     * Stores the id of the service's domain in WHMCS. The external reference still names the service when WHMCS cannot.
     *
     * @param array<mixed> $domain
     */
    public function remember(array $domain): void
    {
        try {
            $this->service()->remember($domain);
        } catch (\Throwable $error) {
            $this->log->append("service property of domain {$domain['id']}", "WHMCS did not store it: {$error->getMessage()}");
        }
    }

    /**
     * @param array<string, mixed> $params
     * @return list<string>
     */
    private static function secretsOf(array $params): array
    {
        $secrets = [];
        foreach (['serveraccesshash', 'serverpassword', 'password'] as $name) {
            $secret = trim((string) ($params[$name] ?? ''));
            if (strlen($secret) >= 6) {
                $secrets[] = $secret;
            }
        }
        return array_values(array_unique($secrets));
    }
}

/** What a function found, or the sentence that says why it did not succeed. */
final class Answer
{
    public function __construct(public readonly mixed $value, public readonly ?string $sentence)
    {
    }

    /** What WHMCS expects of a command. */
    public function text(): string
    {
        return $this->sentence ?? 'success';
    }
}
