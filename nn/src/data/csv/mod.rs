//! Files of comma-separated values.

mod fields;

use std::path::{Path, PathBuf};

use oplink_api::{Error, Result, Tensor, ensure};

use super::Batch;
use super::batching::{Batching, Rows, batched};
use fields::{Span, fields, open, read, spans, wrong};

/// Rows of a file of comma-separated values (RFC 4180: fields may stand in quotes) whose first line names the columns.
/// `x` is the numbers of some columns, `[batch, columns]` of f32; `y` those of others, or the number of a class, of
/// int32 and `[batch]`.
///
/// The file is gone through once, for where records lie; they are read and checked when a batch is loaded. A field that
/// is no number, or a record with other fields than the first line names, is an error that names file and line.
///
/// ```ignore
/// let data = Csv::open("iris.csv")?.classes("species", &["setosa", "versicolor", "virginica"])?.shuffle(1);
/// ```
#[derive(Clone, Debug)]
pub struct Csv {
    path: PathBuf,
    delimiter: u8,
    names: Vec<String>,
    records: Vec<Span>,
    /// The columns of the inputs, where not all that are no targets are.
    x: Option<Vec<usize>>,
    y: Vec<usize>,
    classes: Option<Vec<String>>,
    missing: Option<f32>,
    batching: Batching,
}

batched!(Csv);

impl Csv {
    /// The records of a file whose fields are separated by commas.
    ///
    /// # Errors
    /// The file cannot be read, has no line that names columns, names one twice, or ends inside quotes.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        Self::open_delimited(path, b',')
    }

    /// The records of a file whose fields are separated by another byte, such as `b'\t'`.
    ///
    /// # Errors
    /// As [`Csv::open`].
    pub fn open_delimited(path: impl AsRef<Path>, delimiter: u8) -> Result<Self> {
        let path = path.as_ref().to_owned();
        let mut records = spans(&path)?;
        ensure!(!records.is_empty(), "{} has no line that names its columns", path.display());
        let header = records.remove(0);
        let bytes = read(&mut open(&path)?, &path, header)?;
        // Spreadsheets mark a file as UTF-8 so.
        let names = fields(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes), delimiter)
            .map_err(|what| wrong(&path, header, &what))?;
        if let Some(twice) = (1..names.len()).find(|&at| names[..at].contains(&names[at])) {
            return Err(wrong(&path, header, &format!("the column `{}` is named twice", names[twice])));
        }
        let (x, y, classes, missing) = (None, Vec::new(), None, None);
        Ok(Self { path, delimiter, names, records, x, y, classes, missing, batching: Batching::default() })
    }

    /// Sets the columns of the inputs, in this order; else they are all that are no targets.
    ///
    /// # Errors
    /// There is no such column.
    pub fn inputs(self, columns: &[&str]) -> Result<Self> {
        Ok(Self { x: Some(self.columns(columns)?), ..self })
    }

    /// Sets the columns whose numbers are true of the inputs.
    ///
    /// # Errors
    /// There is no such column.
    pub fn targets(self, columns: &[&str]) -> Result<Self> {
        Ok(Self { y: self.columns(columns)?, classes: None, ..self })
    }

    /// Sets the column that names the class of the inputs: the class at `i` of these has the number `i`.
    ///
    /// # Errors
    /// There is no such column.
    pub fn classes(self, column: &str, classes: &[&str]) -> Result<Self> {
        let classes = classes.iter().map(|&class| class.to_owned()).collect();
        Ok(Self { y: self.columns(&[column])?, classes: Some(classes), ..self })
    }

    /// Sets the number that empty fields stand for; else they are errors.
    #[must_use]
    pub fn missing(self, number: f32) -> Self {
        Self { missing: Some(number), ..self }
    }

    /// The names of the columns.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The number of records.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    fn columns(&self, columns: &[&str]) -> Result<Vec<usize>> {
        let position = |column: &&str| {
            let position = self.names.iter().position(|name| name == column);
            position.ok_or_else(|| {
                let message = format!("{} has no column `{column}`: there are {:?}", self.path.display(), self.names);
                Error::not_found(message)
            })
        };
        columns.iter().map(position).collect()
    }

    fn batch(&self, rows: &Rows<'_>) -> Result<Batch> {
        let rest = || (0..self.names.len()).filter(|at| !self.y.contains(at)).collect();
        let inputs = self.x.clone().unwrap_or_else(rest);
        let (mut x, mut y, mut classes) = (Vec::new(), Vec::new(), Vec::new());
        let (numbers, mut file) = (rows.numbers(), open(&self.path)?);
        for &at in &numbers {
            let record = self.records[at];
            let bytes = read(&mut file, &self.path, record)?;
            let fields = self.fields(&bytes).map_err(|what| wrong(&self.path, record, &what))?;
            let numbers = |columns: &[usize]| -> Result<Vec<f32>> {
                let numbers = columns.iter().map(|&column| self.number(&fields, column));
                numbers.collect::<Result<_, String>>().map_err(|what| wrong(&self.path, record, &what))
            };
            x.extend(numbers(&inputs)?);
            match (&self.classes, self.y.first()) {
                (Some(known), Some(&column)) => {
                    let class = class(&fields[column], &self.names[column], known);
                    classes.push(class.map_err(|what| wrong(&self.path, record, &what))?);
                }
                _ => y.extend(numbers(&self.y)?),
            }
        }
        let count = numbers.len();
        let y = if self.classes.is_some() {
            Tensor::from_vec([count], classes)?
        } else {
            Tensor::from_vec([count, self.y.len()], y)?
        };
        Ok(Batch { x: Tensor::from_vec([count, inputs.len()], x)?, y })
    }

    fn fields(&self, record: &[u8]) -> Result<Vec<String>, String> {
        let fields = fields(record, self.delimiter)?;
        let (count, named) = (fields.len(), self.names.len());
        if count == named {
            Ok(fields)
        } else {
            Err(format!("{count} fields, where the first line names {named} columns"))
        }
    }

    fn number(&self, fields: &[String], column: usize) -> Result<f32, String> {
        let (field, name) = (fields[column].trim(), &self.names[column]);
        match (field.parse::<f32>(), self.missing) {
            (Ok(number), _) => Ok(number),
            (Err(_), Some(missing)) if field.is_empty() => Ok(missing),
            (Err(_), _) if field.is_empty() => {
                Err(format!("the column `{name}` is empty: `missing` gives a number for that"))
            }
            (Err(_), _) => Err(format!("the column `{name}` has `{}`, which is no number", shortened(field))),
        }
    }
}

fn class(field: &str, name: &str, known: &[String]) -> Result<i32, String> {
    let field = field.trim();
    let class = known.iter().position(|class| class == field);
    class
        .map(|class| class as i32)
        .ok_or_else(|| format!("the column `{name}` has `{}`, which is none of the classes", shortened(field)))
}

/// A field for a message.
fn shortened(field: &str) -> String {
    field.chars().take(40).flat_map(char::escape_debug).collect()
}
