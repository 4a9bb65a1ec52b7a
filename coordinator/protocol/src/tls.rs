//! TLS without authorities: either end knows the other by the fingerprint of its key.

use std::sync::{Arc, RwLock};
use std::time::Duration;

use quinn::crypto::rustls::{QuicClientConfig, QuicServerConfig};
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::danger::{ClientCertVerified, ClientCertVerifier};
use rustls::{DigitallySignedStruct, DistinguishedName, SignatureScheme};
use thiserror::Error;

use crate::identity::{Fingerprint, Identity};

/// The protocol's name in the handshake.
pub const ALPN: &[u8] = b"boombots-cluster/1";

/// What a connection puts up with.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Silence after which it is closed.
    pub idle: Duration,
    /// Silence after which the other end is asked for a sign of life.
    pub keep_alive: Duration,
    /// Bulk streams open at a time.
    pub streams: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self { idle: Duration::from_secs(20), keep_alive: Duration::from_secs(3), streams: 64 }
    }
}

/// Why TLS was not set up.
#[derive(Debug, Error)]
#[error("cannot set up TLS: {0}")]
pub struct TlsError(String);

/// The coordinator's end: every key is let in here, and judged by its fingerprint afterwards.
///
/// # Errors
/// If the identity cannot be used.
pub fn server_config(identity: &Identity, limits: Limits) -> Result<quinn::ServerConfig, TlsError> {
    let failed = |error: &dyn std::fmt::Display| TlsError(error.to_string());
    let provider = provider();
    let mut config = rustls::ServerConfig::builder_with_provider(Arc::clone(&provider))
        .with_protocol_versions(&[&rustls::version::TLS13])
        .map_err(|error| failed(&error))?
        .with_client_cert_verifier(Arc::new(AnyKey(provider)))
        .with_single_cert(vec![identity.certificate.clone()], identity.key.clone_key())
        .map_err(|error| failed(&error))?;
    config.alpn_protocols = vec![ALPN.to_vec()];
    let crypto = QuicServerConfig::try_from(config).map_err(|error| failed(&error))?;
    let mut config = quinn::ServerConfig::with_crypto(Arc::new(crypto));
    config.transport_config(Arc::new(transport(limits)));
    Ok(config)
}

/// A worker's end: the coordinator's key must be one of `pins` at the time of connecting.
///
/// # Errors
/// If the identity cannot be used.
pub fn client_config(
    identity: &Identity,
    pins: Arc<RwLock<Vec<Fingerprint>>>,
    alpn: &[u8],
    limits: Limits,
) -> Result<quinn::ClientConfig, TlsError> {
    let failed = |error: &dyn std::fmt::Display| TlsError(error.to_string());
    let provider = provider();
    let mut config = rustls::ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_protocol_versions(&[&rustls::version::TLS13])
        .map_err(|error| failed(&error))?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(PinnedKey { pins, provider }))
        .with_client_auth_cert(vec![identity.certificate.clone()], identity.key.clone_key())
        .map_err(|error| failed(&error))?;
    config.alpn_protocols = vec![alpn.to_vec()];
    let crypto = QuicClientConfig::try_from(config).map_err(|error| failed(&error))?;
    let mut config = quinn::ClientConfig::new(Arc::new(crypto));
    config.transport_config(Arc::new(transport(limits)));
    Ok(config)
}

/// The fingerprint of the key that the other end of a connection has proved to hold.
pub fn peer_fingerprint(connection: &quinn::Connection) -> Option<Fingerprint> {
    let identity = connection.peer_identity()?;
    let chain = identity.downcast::<Vec<CertificateDer<'static>>>().ok()?;
    fingerprint_of(chain.first()?).ok()
}

/// The fingerprint of the key in a certificate.
pub(crate) fn fingerprint_of(
    certificate: &CertificateDer<'_>,
) -> Result<Fingerprint, rustls::Error> {
    let certificate = rustls::server::ParsedCertificate::try_from(certificate)?;
    Ok(Fingerprint::of_key(&certificate.subject_public_key_info()))
}

fn transport(limits: Limits) -> quinn::TransportConfig {
    let mut transport = quinn::TransportConfig::default();
    let idle = quinn::IdleTimeout::try_from(limits.idle);
    transport.max_idle_timeout(idle.ok());
    transport.keep_alive_interval(Some(limits.keep_alive));
    transport.max_concurrent_bidi_streams(limits.streams.into());
    transport.max_concurrent_uni_streams(0_u32.into());
    // Loss on a long line is seldom congestion: over 50 ms with 1 % lost a build of 3v2 takes a
    // quarter of the time that it takes with CUBIC.
    transport.congestion_controller_factory(Arc::new(quinn::congestion::BbrConfig::default()));
    transport
}

fn provider() -> Arc<CryptoProvider> {
    Arc::new(rustls::crypto::aws_lc_rs::default_provider())
}

#[derive(Debug)]
struct PinnedKey {
    pins: Arc<RwLock<Vec<Fingerprint>>>,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for PinnedKey {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        let fingerprint = fingerprint_of(end_entity)?;
        let pins = self.pins.read().unwrap_or_else(std::sync::PoisonError::into_inner);
        if pins.contains(&fingerprint) {
            Ok(ServerCertVerified::assertion())
        } else {
            Err(rustls::Error::General(format!(
                "the coordinator's key {} is not the one in the join token",
                fingerprint.short()
            )))
        }
    }

    fn verify_tls12_signature(
        &self,
        _message: &[u8],
        _cert: &CertificateDer<'_>,
        _dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        Err(rustls::Error::General("TLS 1.2 is not spoken here".into()))
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(message, cert, dss, &self.provider.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}

#[derive(Debug)]
struct AnyKey(Arc<CryptoProvider>);

impl ClientCertVerifier for AnyKey {
    fn root_hint_subjects(&self) -> &[DistinguishedName] {
        &[]
    }

    fn verify_client_cert(
        &self,
        _end_entity: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _now: UnixTime,
    ) -> Result<ClientCertVerified, rustls::Error> {
        Ok(ClientCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _message: &[u8],
        _cert: &CertificateDer<'_>,
        _dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        Err(rustls::Error::General("TLS 1.2 is not spoken here".into()))
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(message, cert, dss, &self.0.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}
