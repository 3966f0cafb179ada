// Prints for each file whether the grammar accepts it: `good`, or the line of the first error.
#include <stdio.h>
#include <stdlib.h>
#include <tree_sitter/api.h>

const TSLanguage *tree_sitter_aiec(void);

static int first_error(TSNode node) {
    if (ts_node_is_missing(node) || ts_node_symbol(node) == (TSSymbol)-1) {
        return (int)ts_node_start_point(node).row + 1;
    }
    for (uint32_t child = 0; child < ts_node_child_count(node); child++) {
        if (ts_node_has_error(ts_node_child(node, child))) {
            int line = first_error(ts_node_child(node, child));
            if (line > 0) {
                return line;
            }
        }
    }
    return (int)ts_node_start_point(node).row + 1;
}

int main(int count, char **files) {
    TSParser *parser = ts_parser_new();
    if (!ts_parser_set_language(parser, tree_sitter_aiec())) {
        return 1;
    }
    for (int at = 1; at < count; at++) {
        FILE *file = fopen(files[at], "rb");
        if (!file) {
            return 1;
        }
        fseek(file, 0, SEEK_END);
        long length = ftell(file);
        rewind(file);
        char *text = malloc((size_t)length + 1);
        length = (long)fread(text, 1, (size_t)length, file);
        fclose(file);
        TSTree *tree = ts_parser_parse_string(parser, NULL, text, (uint32_t)length);
        TSNode root = ts_tree_root_node(tree);
        if (ts_node_has_error(root)) {
            printf("error in line %d\n", first_error(root));
        } else {
            printf("good\n");
        }
        ts_tree_delete(tree);
        free(text);
    }
    ts_parser_delete(parser);
    return 0;
}
