//! What a package says of itself.

use crate::host::{Host, HostTexts};
use crate::{File, Result, python_version};

/// A crate, as its manifest describes it.
#[derive(Clone, Debug, Default)]
pub struct Package {
    /// The crate's name.
    pub name: String,
    /// The crate's version.
    pub version: String,
    /// The description; empty where there is none.
    pub description: String,
    /// The license as an SPDX expression.
    pub license: Option<String>,
    /// Names, with addresses of mail between angle brackets.
    pub authors: Vec<String>,
    /// Keywords.
    pub keywords: Vec<String>,
    /// Labels and addresses, such as `Repository`.
    pub urls: Vec<(String, String)>,
    /// The readme in Markdown; empty where there is none.
    pub readme: String,
    /// The texts of licenses, by the names of their files.
    pub license_files: Vec<(String, Vec<u8>)>,
}

impl Package {
    /// The name of the Python package.
    pub fn module(&self) -> String {
        self.name.replace('-', "_")
    }

    /// Name and version as files of wheels are called.
    ///
    /// # Errors
    /// Python has no such version.
    pub(crate) fn distribution(&self) -> Result<String> {
        Ok(format!("{}-{}", self.module().to_lowercase(), python_version(&self.version)?))
    }

    /// The files of the folder `…dist-info`, all but the record.
    ///
    /// # Errors
    /// Python has no such version.
    pub(crate) fn info(&self, hosts: &[Host], tag: &str) -> Result<Vec<File>> {
        let folder = format!("{}.dist-info", self.distribution()?);
        let wheel = format!(
            "Wheel-Version: 1.0\nGenerator: oplink {}\nRoot-Is-Purelib: false\nTag: {tag}\n",
            env!("CARGO_PKG_VERSION")
        );
        let mut files = vec![
            File::text(format!("{folder}/METADATA"), self.metadata(hosts)?),
            File::text(format!("{folder}/WHEEL"), wheel),
        ];
        let license = |(name, content): &(String, Vec<u8>)| File {
            path: format!("{folder}/licenses/{name}"),
            content: content.clone(),
        };
        files.extend(self.license_files.iter().map(license));
        Ok(files)
    }

    fn metadata(&self, hosts: &[Host]) -> Result<String> {
        let mut fields = vec![
            ("Metadata-Version", "2.4".to_owned()),
            ("Name", self.name.clone()),
            ("Version", python_version(&self.version)?),
            ("Requires-Python", ">=3.9".to_owned()),
        ];
        if !self.description.is_empty() {
            fields.push(("Summary", self.description.clone()));
        }
        // Cargo takes the older way to say "or", too.
        fields.extend(self.license.iter().map(|license| ("License-Expression", license.replace('/', " OR "))));
        fields.extend(self.license_files.iter().map(|(name, _)| ("License-File", name.clone())));
        fields.extend(self.authors.iter().map(|author| match author.split_once('<') {
            None => ("Author", author.clone()),
            Some(_) => ("Author-Email", author.clone()),
        }));
        if !self.keywords.is_empty() {
            fields.push(("Keywords", self.keywords.join(",")));
        }
        fields.extend(self.urls.iter().map(|(label, url)| ("Project-URL", format!("{label}, {url}"))));
        for host in hosts {
            let HostTexts { name, requirements, .. } = host.texts();
            fields.push(("Provides-Extra", (*name).to_owned()));
            let requires = |one: &&str| ("Requires-Dist", format!("{one}; extra == \"{name}\""));
            fields.extend(requirements.iter().map(requires));
        }
        if !self.readme.is_empty() {
            fields.push(("Description-Content-Type", "text/markdown".to_owned()));
        }
        let one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let head: String = fields.iter().map(|(name, value)| format!("{name}: {}\n", one_line(value))).collect();
        Ok(if self.readme.is_empty() { head } else { format!("{head}\n{}", self.readme) })
    }
}
