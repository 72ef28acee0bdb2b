//! A tape of random numbers from which a document is told. Shrinking the tape shrinks the document, because
//! an exhausted tape answers zero, and zero is always the plainest choice.

/// Reads choices off a slice of numbers.
pub(crate) struct Tape<'a> {
    numbers: &'a [u32],
    at: usize,
}

impl<'a> Tape<'a> {
    /// A tape at its beginning.
    pub(crate) fn new(numbers: &'a [u32]) -> Self {
        Self { numbers, at: 0 }
    }

    /// A number below `bound`; zero once the tape is at its end.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        let number = self.numbers.get(self.at).copied().unwrap_or_default();
        self.at += 1;
        number as usize % bound.max(1)
    }

    /// True in one of `one_in` cases, never at the end of the tape.
    pub(crate) fn rarely(&mut self, one_in: usize) -> bool {
        self.below(one_in) == one_in - 1
    }

    /// One of `choices`, the first at the end of the tape.
    pub(crate) fn pick<'c, T: ?Sized>(&mut self, choices: &[&'c T]) -> &'c T {
        choices[self.below(choices.len())]
    }
}
