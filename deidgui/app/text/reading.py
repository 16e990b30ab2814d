"""Sentences about files of data, how they are read, and what their columns hold."""

from deidgui.app.text.base import Sentence

_FILES: dict[str, Sentence] = {
    "file_not_found": Sentence(
        "There is no file “{file}”.", "Check the name and the folder."
    ),
    "is_directory": Sentence("“{file}” is a folder.", "Choose a file in it."),
    "not_a_file": Sentence(
        "“{file}” is no ordinary file.", "Choose a file that lies on a disk."
    ),
    "no_permission": Sentence(
        "You may not read “{file}”.",
        "Ask its owner for permission, or copy it to a folder of your own.",
    ),
    "cannot_read": Sentence(
        "“{file}” cannot be read: {reason}.",
        "Close other programs that use it, or copy it to this computer.",
    ),
    "file_empty": Sentence("“{file}” is empty.", "Choose a file with data."),
    "file_changed": Sentence(
        "“{file}” was changed while it was being read.",
        "Wait until the other program has finished writing, then open it again.",
    ),
    "not_text": Sentence(
        "“{file}” is no text: it looks like a {kind}.",
        "Export the table as CSV (UTF-8) from the program that made it.",
    ),
    "sheets_too_long": Sentence(
        "“{file}” is larger than {limit} MB, too large for tables of counts.",
        "Save the sheets with tables of counts as a file of their own.",
    ),
    "not_an_archive": Sentence(
        "“{file}” is no zip archive, so it has no member “{member}”.",
        "Open the file without naming a member.",
    ),
    "archive_damaged": Sentence(
        "“{file}” is damaged: it cannot be unpacked to its end.",
        "Get the file again and compare its size with the sender's.",
    ),
    "archive_locked": Sentence(
        "“{member}” in “{file}” is protected with a password.",
        "Unpack it with its password first, then open what it holds.",
    ),
    "archive_method": Sentence(
        "“{file}” is packed in a way that this program cannot unpack.",
        "Unpack it with the program that made it, then open what it holds.",
    ),
    "archive_empty": Sentence("The archive “{file}” holds no file."),
    "archive_members": Sentence(
        "“{file}” holds several files: {members}.",
        "Choose one, for example “{file}/NAME”.",
    ),
    "archive_member_unknown": Sentence(
        "“{file}” holds no single file called “{member}”.", "It holds: {members}."
    ),
    "content_too_large": Sentence(
        "“{file}” holds more than {limit} GB of text.",
        "Split it, or leave out columns that are not needed.",
    ),
    "content_unpacked_too_large": Sentence(
        "“{file}” unpacks to more than {limit} GB, the most for a packed file.",
        "Unpack it yourself and open what it holds, or leave out columns that are not "
        "needed.",
    ),
    "unpacked_needs_memory": Sentence(
        "“{file}” would take more than {limit} GB of memory, the most for a packed "
        "file.",
        "Unpack it yourself and open what it holds, or leave out columns that are not "
        "needed.",
    ),
    "content_too_dense": Sentence(
        "“{file}” unpacks to more than {limit} times its size, which real data "
        "never does.",
        "If you trust the file, unpack it yourself and open what it holds.",
    ),
    "out_of_memory": Sentence(
        "There is not enough memory for “{file}”.",
        "Close other programs, or leave out columns that are not needed.",
    ),
}

_CUTTING: dict[str, Sentence] = {
    "encoding_unknown": Sentence(
        "There is no encoding called “{encoding}” here.",
        "Choose one of these: {known}.",
    ),
    "encoding_fails": Sentence(
        "“{file}”, line {line}, character {place}: this is not {encoding}.",
        "Choose another encoding, and compare the example lines.",
    ),
    "delimiter_unusable": Sentence(
        "A delimiter must be one character, and neither a quote nor a line break.",
        "Choose comma, semicolon, tab or another single character.",
    ),
    "quote_unusable": Sentence(
        "Cells can be quoted with \" or ', or not at all.", "Choose one of the three."
    ),
    "blanks_are_delimiters": Sentence(
        "Blanks cannot be left out where a blank is the delimiter.",
        "Choose another delimiter, or keep the blanks.",
    ),
    "skip_lines_negative": Sentence(
        "The number of lines before the header cannot be {n_lines}.",
        "Give 0 or more.",
    ),
    "ragged_record": Sentence(
        "“{file}”, line {line}: {found:cell|cells} where the header has "
        "{expected}. Records of the wrong length: {n_records}.",
        "Correct that line, or choose another delimiter or quote: often a cell holds "
        "the delimiter and is not quoted, or title lines come first. Or leave such "
        "records out with the button on the page Data.",
        "On the command line: “--dialect skip_ragged=yes” of deidgui inspect and "
        "deidgui decide.",
    ),
    "quote_not_closed": Sentence(
        "“{file}”, line {line}: the quote that is opened here is never closed.",
        "Close it, double it if it is part of the text, or choose “no quotes”.",
    ),
    "text_after_quote": Sentence(
        "“{file}”, line {line}, column {column}: text follows the closing quote.",
        "Double the quotes that are part of the text, or choose “no quotes”.",
    ),
    "nul_byte": Sentence(
        "“{file}”, line {line}, column {column}: a NUL byte, which no text has.",
        "If this is no table, choose another file. Choose UTF-16 if the whole file has "
        "NUL bytes; otherwise export the file again.",
    ),
    "record_too_long": Sentence(
        "“{file}”, line {line}: this line is longer than {limit} MB.",
        "Choose another kind of line end or encoding, or correct that line.",
    ),
    "too_many_columns": Sentence(
        "“{file}”, line {line}: {found:column|columns}; at most {limit} can be used.",
        "Choose another delimiter, or leave out columns.",
    ),
    "column_name_too_long": Sentence(
        "“{file}”, line {line}: the name of column {column} has "
        "{found:character|characters}; at most {limit} can be used.",
        "Shorten it. If this line is no header, say how many lines to skip or that "
        "there is no header.",
    ),
    "header_only": Sentence(
        "“{file}” has a header and no records.",
        "Choose a file with records, or say that there is no header.",
    ),
    "file_blank": Sentence(
        "“{file}” holds only empty lines.", "Choose a file with data."
    ),
}

_TYPES: dict[str, Sentence] = {
    "kind_unknown": Sentence(
        "There is no type “{kind}”.",
        "Choose text, category, integer, decimal or date.",
    ),
    "number_format_unknown": Sentence(
        "There is no number format “{format}”.",
        "Choose “.” or “,” as decimal mark, “1,234.5” or “1.234,5”.",
    ),
    "date_format_unknown": Sentence(
        "There is no date format “{format}”.",
        "Choose one of these: {known}.",
    ),
}

_EVIDENCE: dict[str, Sentence] = {
    "encoding_mark": Sentence("The file begins with the mark of {encoding}."),
    "encoding_nul_pattern": Sentence(
        "Every second byte is zero, as in {encoding}, though the mark is absent."
    ),
    "encoding_ascii": Sentence(
        "Only plain letters without accents: every usual encoding reads it alike."
    ),
    "encoding_utf8_valid": Sentence(
        "The whole file is valid UTF-8, with {n_bytes:byte|bytes} beyond plain letters."
    ),
    "encoding_not_utf8": Sentence(
        "The file is not UTF-8 ({n_bytes:byte|bytes} beyond plain letters); most "
        "such files come from Windows.",
        "Compare the example lines.",
    ),
    "encoding_not_cp1252": Sentence(
        "The file is neither UTF-8 nor Windows-1252: {n_bytes:byte means|bytes "
        "mean} nothing there.",
        "Compare the example lines.",
    ),
    "sep_line": Sentence("The first line names the delimiter."),
    "delimiter_fits": Sentence(
        "With {delimiter} as delimiter all of the first {n_records:record|records} "
        "have {n_fields:cell|cells}."
    ),
    "delimiter_mostly": Sentence(
        "With {delimiter} as delimiter most of the first "
        "{n_records:record|records} have {n_fields:cell|cells}; {n_other:does|do} "
        "not.",
        "Look at the preview.",
    ),
    "one_column": Sentence(
        "No delimiter cuts the first {n_records:record|records} evenly: one column."
    ),
    "quote_apostrophe": Sentence("Cells are quoted with apostrophes."),
    "quote_none": Sentence("Quotes are part of the text: they do not come in pairs."),
    "blanks_skipped": Sentence(
        "A blank follows nearly every delimiter; it is not part of the values."
    ),
    "preamble": Sentence(
        "Lines above the header that are not read: {n_lines}. Fewer of their cells "
        "are filled than in the records, so they are titles or remarks."
    ),
    "ragged_skipped": Sentence(
        "{number:record of the wrong length was|records of the wrong length were} "
        "left out, as you chose."
    ),
    "header_above_typed": Sentence(
        "The first record is a header: in {n_columns:column|columns} it has words "
        "above numbers or dates."
    ),
    "header_distinct": Sentence(
        "The first record is taken for a header: its {n_columns:cell is a word "
        "that does|cells are words, all different, that do} not come again.",
        "Look at the preview.",
    ),
    "header_is_personal": Sentence(
        "The first record is taken for data: {n_columns} of its cells look like a "
        "person's name, address or number. The columns have no names.",
        "If these are the names of the columns, say that there is a header.",
    ),
    "header_repeats": Sentence(
        "There is no header: in {n_columns:column|columns} the first cell comes "
        "again below."
    ),
    "header_is_typed": Sentence(
        "There is no header: in {n_columns:column|columns} the first cell is a "
        "number or a date."
    ),
    "header_not_distinct": Sentence(
        "There is no header: the first cells are empty or not different.",
        "Look at the preview.",
    ),
    "columns_renamed": Sentence(
        "Columns without a name of their own were given one: {columns}."
    ),
    "rows_of_totals": Sentence(
        "Rows are named as totals in: {columns}. If the table holds counts, its rows "
        "are not people.",
        "Open it as a table of counts.",
        "On the command line: “deidgui counts inspect FILE”.",
    ),
    "rows_of_counts": Sentence(
        "Each row has labels of its own, and all other cells are whole numbers: "
        "{columns}. If these are counts, the rows are not people.",
        "Open it as a table of counts.",
        "On the command line: “deidgui counts inspect FILE”.",
    ),
    "stacked_tables": Sentence(
        "{number:line is|lines are} empty, and what follows looks like another table.",
        "Save each table as a file of its own.",
    ),
    "no_table_column": Sentence(
        "The file has one column only ({number:record|records}). It may be a text and "
        "no table, or its delimiter may be another one.",
        "Look at the preview, and at how the file is read.",
    ),
    "no_table_record": Sentence(
        "The table has one record only. The file may be a text and no table.",
        "Look at the preview, and at how the file is read.",
    ),
    "no_table_words": Sentence(
        "Every cell holds several words. The file may be a text and no table.",
        "Look at the preview, and at how the file is read.",
    ),
    "blank_lines_skipped": Sentence("Empty lines, left out: {number}."),
    "trailing_delimiters": Sentence(
        "Records with one delimiter too many at the end, left out: {number}."
    ),
    "inner_quotes_kept": Sentence(
        "Unquoted cells with a quote inside, kept as they are: {number}."
    ),
    "type_no_values": Sentence("The column has no values."),
    "type_leading_zeros": Sentence(
        "Digits with leading zeros ({n_values:value|values}): a code, no number."
    ),
    "type_zip": Sentence("All values have the form of a ZIP code: a code, no number."),
    "type_integer": Sentence("The values are whole numbers."),
    "type_decimal": Sentence("The values are numbers written like {format}."),
    "type_decimal_ambiguous": Sentence(
        "The values are numbers; their mark may be the decimal mark or mark thousands.",
        "Choose one.",
    ),
    "type_date": Sentence("The values are dates written {format}."),
    "type_date_ambiguous": Sentence(
        "The values are dates, {first} or {second}: no day is after the 12th.",
        "Choose one.",
    ),
    "type_dates_two": Sentence(
        "The values are dates in two formats: {n_first:record is|records are} "
        "written {first} and {n_second:is|are} written {second}.",
        "Both are read; look whether that is meant.",
    ),
    "type_dates_two_ambiguous": Sentence(
        "The values are dates in two formats: {n_first:record is|records are} "
        "written {first}, {n_second:is|are} written {second}, and {n_both} can be "
        "either.",
        "Choose the format that reads the {n_both:record|records} that can be either.",
    ),
    "type_date_counted": Sentence(
        "The name speaks of time and the values fit {format}.", "Confirm it."
    ),
    "type_category": Sentence(
        "{n_values:different value that comes|different "
        "values that come} again and again."
    ),
    "type_text": Sentence(
        "{n_values:different value|different values}, neither numbers nor dates."
    ),
}

SENTENCES: dict[str, Sentence] = {
    **_FILES,
    **_CUTTING,
    **_TYPES,
    **_EVIDENCE,
}
