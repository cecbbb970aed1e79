<?php

declare(strict_types=1);

namespace Mailstead\Whmcs;

/** Mailstead's HTTP API with one token. Every request is in WHMCS's module log. */
final class Api
{
    private const DEFAULT_SECONDS = 20.0;

    private readonly HttpClient $client;

    public function __construct(private readonly ServerAddress $address, private readonly ModuleLog $log)
    {
        $this->client = new HttpClient($address);
    }

    /**
     * Seconds for one request: MAILSTEAD_TIMEOUT_SECONDS of WHMCS's configuration.php (0.1 to 120), else 20.
     */
    public static function seconds(): float
    {
        $set = defined('MAILSTEAD_TIMEOUT_SECONDS') ? constant('MAILSTEAD_TIMEOUT_SECONDS') : self::DEFAULT_SECONDS;
        return is_numeric($set) ? min(120.0, max(0.1, (float) $set)) : self::DEFAULT_SECONDS;
    }

    /**
     * @return array<mixed> the JSON of the response; empty for 204
     * @throws ApiProblem with the API's own sentence
     * @throws Failure when there is no answer, or not the API's
     */
    public function get(string $path, ?float $seconds = null): array
    {
        return $this->json($this->send('GET', $path, null, $seconds ?? self::seconds()));
    }

    /**
     * @param array<string, mixed>|null $body
     * @return array<mixed>
     */
    public function post(string $path, ?array $body): array
    {
        return $this->json($this->send('POST', $path, $body, self::seconds()));
    }

    /**
     * @param array<string, mixed>|null $body
     * @return array<mixed>
     */
    public function put(string $path, ?array $body): array
    {
        return $this->json($this->send('PUT', $path, $body, self::seconds()));
    }

    public function delete(string $path): void
    {
        $this->json($this->send('DELETE', $path, null, self::seconds()));
    }

    /**
     * @return iterable<array<mixed>> the pages of a list
     */
    public function pages(string $path): iterable
    {
        for ($next = $path; $next !== null; $next = self::nextPage($response)) {
            $response = $this->send('GET', $next, null, self::seconds());
            yield $this->json($response);
        }
    }

    /**
     * Reads CSV of any length.
     *
     * @param callable(string): void $onPiece receives the text as it arrives
     */
    public function csv(string $path, callable $onPiece, float $seconds): void
    {
        $response = $this->send('GET', $path, null, $seconds, $onPiece);
        if ($response->status !== 200) {
            $this->json($response);
        }
        if (!str_starts_with(strtolower($response->headers['content-type'] ?? ''), 'text/csv')) {
            throw $this->stranger($response);
        }
    }

    /** The path of a domain, whose name may be of any script. */
    public static function domainPath(string $name): string
    {
        return '/domains/' . rawurlencode($name);
    }

    /** @param array<string, mixed>|null $body */
    private function send(string $method, string $path, ?array $body, float $seconds, ?callable $onPiece = null): HttpResponse
    {
        $text = $body === null ? '' : json_encode($body, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE);
        $request = trim("$method $path $text");
        $headers = [
            'Authorization' => "Bearer {$this->address->token}",
            'Accept' => $onPiece === null ? 'application/json' : 'text/csv',
            'User-Agent' => 'mailstead-whmcs',
        ];
        try {
            $response = $this->client->send($method, $path, $headers, $text, $seconds, $onPiece);
        } catch (Failure $failure) {
            $this->log->append($request, $failure->getMessage());
            throw $failure;
        }
        $this->log->append($request, trim("$response->status $response->body"));
        return $response;
    }

    /** @return array<mixed> */
    private function json(HttpResponse $response): array
    {
        if ($response->status === 204) {
            return [];
        }
        if ($response->status >= 300 && $response->status < 400) {
            throw new Failure(
                "The server at {$this->address->origin()} redirects (status $response->status). The token is sent to no other address: set the hostname and the port of Mailstead itself.",
            );
        }
        $value = json_decode($response->body, true, 64);
        if (!is_array($value) || ($response->status >= 400 && !is_string($value['code'] ?? null))) {
            throw $this->stranger($response);
        }
        if ($response->status >= 400) {
            throw ApiProblem::of($response->status, $value);
        }
        return $value;
    }

    private function stranger(HttpResponse $response): Failure
    {
        return new Failure(
            "What answered at {$this->address->origin()} (status $response->status) is not Mailstead, or a proxy before it that cannot reach it.",
        );
    }

    private static function nextPage(HttpResponse $response): ?string
    {
        return preg_match('~^<(/[^>\s]*)>;\s*rel="next"~', $response->headers['link'] ?? '', $link) === 1 ? $link[1] : null;
    }
}
