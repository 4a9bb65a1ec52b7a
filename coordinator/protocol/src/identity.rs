//! Keys and certificates made at first start, and the fingerprints that name them.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use data_encoding::HEXLOWER;
use rcgen::{CertificateParams, KeyPair, PublicKeyData};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The BLAKE3 digest of a public key (its SubjectPublicKeyInfo), whatever certificate it is in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Fingerprint(pub [u8; 32]);

/// A key and a certificate of its own making.
#[derive(Debug)]
pub struct Identity {
    /// The certificate.
    pub certificate: CertificateDer<'static>,
    /// The key.
    pub key: PrivateKeyDer<'static>,
    /// The key's fingerprint.
    pub fingerprint: Fingerprint,
}

/// Why there is no identity.
#[derive(Debug, Error)]
pub enum IdentityError {
    /// The files cannot be read or written.
    #[error("cannot keep the identity in {folder}: {source}")]
    Io {
        /// The folder.
        folder: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// The files hold something else.
    #[error("{folder} holds no usable key and certificate: {detail}")]
    Unusable {
        /// The folder.
        folder: String,
        /// What is wrong.
        detail: String,
    },
}

impl Identity {
    /// Reads `key.pem` and `cert.pem` of a folder, and makes them first where they are missing.
    ///
    /// # Errors
    /// If they cannot be read, written or used.
    pub fn load_or_make(folder: &Path) -> Result<Self, IdentityError> {
        if !folder.join(KEY_FILE).exists() {
            Self::make(folder)?;
        }
        Self::load(folder)
    }

    /// Reads `key.pem` and `cert.pem` of a folder.
    ///
    /// # Errors
    /// If they cannot be read or used.
    pub fn load(folder: &Path) -> Result<Self, IdentityError> {
        let name = || folder.display().to_string();
        let read = |file: &str| {
            let read = std::fs::read(folder.join(file));
            read.map_err(|source| IdentityError::Io { folder: name(), source })
        };
        let unusable = |detail: String| IdentityError::Unusable { folder: name(), detail };
        let (key, certificate) = (read(KEY_FILE)?, read(CERTIFICATE_FILE)?);
        let pair = std::str::from_utf8(&key).map_err(|error| unusable(error.to_string()))?;
        let pair = KeyPair::from_pem(pair).map_err(|error| unusable(error.to_string()))?;
        let key =
            PrivateKeyDer::from_pem_slice(&key).map_err(|error| unusable(error.to_string()))?;
        let certificate = CertificateDer::from_pem_slice(&certificate)
            .map_err(|error| unusable(error.to_string()))?;
        let fingerprint = Fingerprint::of_key(&pair.subject_public_key_info());
        let in_certificate = crate::tls::fingerprint_of(&certificate);
        if in_certificate.ok() != Some(fingerprint) {
            return Err(unusable("the certificate is not of the key".into()));
        }
        Ok(Self { certificate, key, fingerprint })
    }

    /// Makes a new key and certificate in a folder.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn make(folder: &Path) -> Result<(), IdentityError> {
        let failed = |source| IdentityError::Io { folder: folder.display().to_string(), source };
        let made = KeyPair::generate().and_then(|key| {
            let parameters = CertificateParams::new(vec![SERVER_NAME.to_owned()])?;
            Ok((parameters.self_signed(&key)?.pem(), key.serialize_pem()))
        });
        let (certificate, key) = made.map_err(|error| failed(std::io::Error::other(error)))?;
        std::fs::create_dir_all(folder).map_err(failed)?;
        write_private(&folder.join(CERTIFICATE_FILE), certificate.as_bytes()).map_err(failed)?;
        write_private(&folder.join(KEY_FILE), key.as_bytes()).map_err(failed)
    }
}

fn write_private(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    use std::io::Write as _;
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

impl Fingerprint {
    /// The fingerprint of a key in SubjectPublicKeyInfo form.
    pub fn of_key(subject_public_key_info: &[u8]) -> Self {
        Self(blake3::hash(subject_public_key_info).into())
    }

    /// The first digits, for people.
    pub fn short(&self) -> String {
        HEXLOWER.encode(&self.0[..4])
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&HEXLOWER.encode(&self.0))
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.short())
    }
}

impl FromStr for Fingerprint {
    type Err = crate::DigestError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse::<crate::Digest>().map(|digest| Self(*digest.as_bytes()))
    }
}

/// The name in every certificate; nobody looks at it, since keys are pinned.
pub(crate) const SERVER_NAME: &str = "boombots-cluster";

const KEY_FILE: &str = "key.pem";
const CERTIFICATE_FILE: &str = "cert.pem";
