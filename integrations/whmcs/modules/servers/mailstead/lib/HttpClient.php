<?php

declare(strict_types=1);

namespace Mailstead\Whmcs;

/**
 * Sends one request on one connection, by PHP's streams.
 *
 * PHP's own `http://` streams limit each read, not the whole request, and the extension curl may be missing. This client
 * has one deadline for a request, verifies the certificate and its name, and follows no redirect: the token goes to the
 * server of the settings and nowhere else. The resolver of the machine has its own time-out, which PHP cannot set.
 */
final class HttpClient
{
    private const MAX_BODY_BYTES = 4_194_304;

    public function __construct(private readonly ServerAddress $address)
    {
    }

    /**
     * @param array<string, string> $headers
     * @param float $seconds the longest time for all of it
     * @param (callable(string): void)|null $onPiece receives the body of a 200 as it arrives; otherwise it is collected
     * @throws Failure when there is no whole response
     */
    public function send(string $method, string $path, array $headers, string $body, float $seconds, ?callable $onPiece = null): HttpResponse
    {
        $deadline = DeadlineStream::now() + $seconds;
        $stream = null;
        try {
            $stream = new DeadlineStream($this->connect($deadline), $deadline);
            $stream->write($this->request($method, $path, $headers, $body));
            return $this->receive($stream, $onPiece);
        } catch (DeadlinePassed) {
            $limit = rtrim(rtrim(number_format($seconds, 1, '.', ''), '0'), '.');
            throw new Failure(
                "Mailstead at {$this->address->origin()} did not answer within $limit s. The request may have been carried out; the command can be repeated.",
            );
        } catch (BrokenConnection $broken) {
            throw new Failure("The connection to Mailstead at {$this->address->origin()} {$broken->getMessage()}. The command can be repeated.");
        } finally {
            $stream?->close();
        }
    }

    /** @return resource */
    private function connect(float $deadline)
    {
        $scheme = $this->address->isSecure ? 'tls' : 'tcp';
        $name = trim($this->address->host, '[]');
        $context = stream_context_create(['ssl' => [
            'verify_peer' => true,
            'verify_peer_name' => true,
            'allow_self_signed' => false,
            'peer_name' => $name,
            'crypto_method' => STREAM_CRYPTO_METHOD_TLSv1_2_CLIENT | STREAM_CRYPTO_METHOD_TLSv1_3_CLIENT,
        ]]);
        $warnings = [];
        set_error_handler(static function (int $level, string $message) use (&$warnings): bool {
            $warnings[] = $message;
            return true;
        });
        try {
            $url = "$scheme://{$this->address->host}:{$this->address->port}";
            $seconds = max(0.001, $deadline - DeadlineStream::now());
            $stream = stream_socket_client($url, $code, $message, $seconds, STREAM_CLIENT_CONNECT, $context);
        } finally {
            restore_error_handler();
        }
        if ($stream === false) {
            throw $this->unconnected($deadline, (string) $message, implode(' ', $warnings));
        }
        return $stream;
    }

    private function unconnected(float $deadline, string $message, string $warnings): \RuntimeException
    {
        if (preg_match('/certificate|Peer |CN=/i', $warnings) === 1) {
            return new Failure(
                "The TLS certificate of {$this->address->origin()} is not valid for this name, or not from an authority that this machine trusts. Nothing was sent.",
            );
        }
        if (DeadlineStream::now() >= $deadline || stripos($message, 'timed out') !== false) {
            return new DeadlinePassed();
        }
        $reason = $message !== '' ? $message : ($this->address->isSecure ? 'no TLS connection' : 'no connection');
        return new Failure("Mailstead does not answer at {$this->address->origin()}: $reason. The command can be repeated.");
    }

    /** @param array<string, string> $headers */
    private function request(string $method, string $path, array $headers, string $body): string
    {
        $isUsual = $this->address->port === ($this->address->isSecure ? 443 : 80);
        $all = ['Host' => $this->address->host . ($isUsual ? '' : ":{$this->address->port}"), 'Connection' => 'close'] + $headers;
        if ($body !== '') {
            $all += ['Content-Type' => 'application/json'];
        }
        if ($method !== 'GET') {
            $all += ['Content-Length' => (string) strlen($body)];
        }
        $lines = ["$method $path HTTP/1.1"];
        foreach ($all as $name => $value) {
            $lines[] = "$name: $value";
        }
        return implode("\r\n", $lines) . "\r\n\r\n" . $body;
    }

    private function receive(DeadlineStream $stream, ?callable $onPiece): HttpResponse
    {
        do {
            $response = HttpResponse::read($stream);
        } while ($response->status < 200);
        if ($onPiece !== null && $response->status === 200) {
            $response->readBody($stream, $onPiece);
            return $response;
        }
        $body = '';
        $response->readBody($stream, static function (string $piece) use (&$body): void {
            $body .= $piece;
            if (strlen($body) > self::MAX_BODY_BYTES) {
                throw new BrokenConnection('answered more than 4 MB');
            }
        });
        return $response->withBody($body);
    }
}
