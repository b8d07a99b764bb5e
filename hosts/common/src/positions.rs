//! Functions that know the position of their op: what hosts call that pass nothing which tells it.

/// Makes a table of as many functions as a plugin has ops, at least: `$table(count)` gives rows of 16. `$function` is a
/// generic function of the position, `const ROW: usize` and `const AT: usize`.
#[macro_export]
macro_rules! position_table {
    ($(#[$doc:meta])* $vis:vis fn $table:ident() -> $type:ty; $function:ident) => {
        $(#[$doc])*
        $vis const fn $table(count: usize) -> &'static [[$type; 16]] {
            struct Row<const ROW: usize>;
            impl<const ROW: usize> Row<ROW> {
                const FUNCTIONS: [$type; 16] = [
                    $function::<ROW, 0>, $function::<ROW, 1>, $function::<ROW, 2>, $function::<ROW, 3>,
                    $function::<ROW, 4>, $function::<ROW, 5>, $function::<ROW, 6>, $function::<ROW, 7>,
                    $function::<ROW, 8>, $function::<ROW, 9>, $function::<ROW, 10>, $function::<ROW, 11>,
                    $function::<ROW, 12>, $function::<ROW, 13>, $function::<ROW, 14>, $function::<ROW, 15>,
                ];
            }
            match count {
                0..=16 => const { &[Row::<0>::FUNCTIONS] },
                17..=64 => const {
                    &[Row::<0>::FUNCTIONS, Row::<1>::FUNCTIONS, Row::<2>::FUNCTIONS, Row::<3>::FUNCTIONS]
                },
                65..=256 => const {
                    &[
                        Row::<0>::FUNCTIONS, Row::<1>::FUNCTIONS, Row::<2>::FUNCTIONS, Row::<3>::FUNCTIONS,
                        Row::<4>::FUNCTIONS, Row::<5>::FUNCTIONS, Row::<6>::FUNCTIONS, Row::<7>::FUNCTIONS,
                        Row::<8>::FUNCTIONS, Row::<9>::FUNCTIONS, Row::<10>::FUNCTIONS, Row::<11>::FUNCTIONS,
                        Row::<12>::FUNCTIONS, Row::<13>::FUNCTIONS, Row::<14>::FUNCTIONS, Row::<15>::FUNCTIONS,
                    ]
                },
                257..=512 => const {
                    &[
                        Row::<0>::FUNCTIONS, Row::<1>::FUNCTIONS, Row::<2>::FUNCTIONS, Row::<3>::FUNCTIONS,
                        Row::<4>::FUNCTIONS, Row::<5>::FUNCTIONS, Row::<6>::FUNCTIONS, Row::<7>::FUNCTIONS,
                        Row::<8>::FUNCTIONS, Row::<9>::FUNCTIONS, Row::<10>::FUNCTIONS, Row::<11>::FUNCTIONS,
                        Row::<12>::FUNCTIONS, Row::<13>::FUNCTIONS, Row::<14>::FUNCTIONS, Row::<15>::FUNCTIONS,
                        Row::<16>::FUNCTIONS, Row::<17>::FUNCTIONS, Row::<18>::FUNCTIONS, Row::<19>::FUNCTIONS,
                        Row::<20>::FUNCTIONS, Row::<21>::FUNCTIONS, Row::<22>::FUNCTIONS, Row::<23>::FUNCTIONS,
                        Row::<24>::FUNCTIONS, Row::<25>::FUNCTIONS, Row::<26>::FUNCTIONS, Row::<27>::FUNCTIONS,
                        Row::<28>::FUNCTIONS, Row::<29>::FUNCTIONS, Row::<30>::FUNCTIONS, Row::<31>::FUNCTIONS,
                    ]
                },
                _ => panic!("a plugin for this host holds at most 512 ops and gradients: split it"),
            }
        }
    };
}
